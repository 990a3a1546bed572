// Real slim builds, without GPU and without torch. Part of the tests where nvcc is found when they are
// configured.
#include <dlfcn.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>

#include "../languages_test.hpp"
#include "../toolkit_without_device_runtime.hpp"
#include "engine/worker/languages/program_search.hpp"
#include "engine/worker/languages/torch_extension/extension_builder.hpp"
#include "engine/worker/sandbox/process.hpp"
#include "request_sources.hpp"

namespace ridgeline::torch_extension {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class SlimBuilds : public languages::Languages {
 protected:
  static void SetUpTestSuite() {
    languages::Languages::SetUpTestSuite();
    const auto nvcc = languages::find_nvcc(isolation_, compiler_->toolchain());
    ASSERT_TRUE(nvcc) << "nvcc was there when this was configured";
    builder_ = std::make_unique<ExtensionBuilder>(
        *nvcc, languages::BuildSettings{folder_ / "cache", isolation_, default_extension_limits()});
  }
  static void TearDownTestSuite() {
    builder_.reset();
    languages::Languages::TearDownTestSuite();
  }
  static languages::BuildArtefact made(const ExtensionRequest& request) {
    auto result = builder_->build_slim(request);
    if (const auto* narrow = std::get_if<NotSlim>(&result))
      throw std::runtime_error("not slim: " + narrow->because + "\n" + narrow->log);
    if (const auto* failure = std::get_if<languages::BuildFailure>(&result))
      throw std::runtime_error(failure->detail + "\n" + failure->log);
    return std::get<languages::BuildArtefact>(std::move(result));
  }
  static NotSlim not_slim(const ExtensionRequest& request) {
    auto result = builder_->build_slim(request);
    if (!std::holds_alternative<NotSlim>(result)) throw std::runtime_error("another outcome");
    return std::get<NotSlim>(std::move(result));
  }
  static languages::BuildFailure failed(const ExtensionRequest& request) {
    auto result = builder_->build_slim(request);
    if (!std::holds_alternative<languages::BuildFailure>(result)) throw std::runtime_error("another outcome");
    return std::get<languages::BuildFailure>(std::move(result));
  }
  static ExtensionRequest with_cuda(const std::string& source) {
    auto request = scale_request();
    request.cuda_sources = {source};
    return request;
  }
  static std::string replaced(std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
  }
  static inline std::unique_ptr<ExtensionBuilder> builder_;
};

TEST_F(SlimBuilds, AModuleIsBuiltWithItsKernelsFactsAndKept) {
  const auto artefact = made(scale_request());
  EXPECT_FALSE(artefact.cached);
  ASSERT_EQ(artefact.resources.size(), 1u);
  EXPECT_EQ(artefact.resources[0].kernel, "scale_kernel");
  const auto again = made(scale_request());
  EXPECT_TRUE(again.cached);
  EXPECT_EQ(again.library, artefact.library);
  auto renamed = scale_request();
  renamed.name = "another_name";
  EXPECT_NE(made(renamed).library, artefact.library);
  EXPECT_EQ(scratch_folders(), 0u);
}

TEST_F(SlimBuilds, TwoUnitsWhereTheCppSourceDefinesFunctions) {
  auto request = scale_request();
  request.cpp_sources = {std::string(kScaleDeclaration) +
                         "\ntorch::Tensor twice(torch::Tensor x) { return scale(x, 2.0); }\n"};
  request.functions = {{"twice", "twice"}};
  EXPECT_GT(made(request).bytes, 0u);
}

TEST_F(SlimBuilds, FindsOutWhatNeedsTheRealHeaders) {
  const auto narrow = not_slim(
      with_cuda(replaced(kScaleSource, "auto out = torch::empty_like(x);", "auto out = torch::fft_fft(x);")));
  EXPECT_THAT(narrow.because, HasSubstr("cuda.cu(12): error"));
  EXPECT_THAT(narrow.because, HasSubstr("fft_fft"));
}

TEST_F(SlimBuilds, AnUnknownNameInAKernelIsReportedWithTorchsPlaces) {
  EXPECT_EQ(not_slim(with_cuda(replaced(kScaleSource, "by * x[i]", "unknown * x[i]"))).because,
            "cuda.cu(8): error: identifier \"unknown\" is undefined");
  auto request = scale_request();
  request.functions = {{"missing", "missing"}};
  EXPECT_THAT(not_slim(request).because, StartsWith("main.cpp(4): error"));
}

TEST_F(SlimBuilds, BindingsFindOnlyWhatTheCppSourceDeclares) {
  auto request = scale_request();
  request.cpp_sources = {""};
  EXPECT_THAT(not_slim(request).because, StartsWith("main.cpp(4): error: identifier \"scale\" is undefined"));
}

TEST_F(SlimBuilds, AFunctionThatIsNowhereDefinedNeedsNoRealHeaders) {
  const auto failure = failed(with_cuda(
      replaced(kScaleSource, "scale(torch::Tensor x, double by)", "scale(torch::Tensor x, float by)")));
  EXPECT_EQ(failure.reason, Reason::compile_error);
  EXPECT_THAT(failure.detail, HasSubstr("undefined reference to `scale(at::Tensor, double)'"));
}

std::string launching_source() {
  std::string source = kScaleSource;
  const std::string body = "  if (i < n) out[i] = by * x[i];\n";
  source.replace(source.find(body), body.size(), "  if (i == 0) child<<<1, 1>>>(out);\n" + body);
  return source.insert(source.find("__global__"), "__global__ void child(float* out) { *out = 1; }\n");
}

TEST_F(SlimBuilds, KernelsThatLaunchKernelsAreLinkedForTheDeviceWhereTheFlagsSaySo) {
  const auto failure = failed(with_cuda(launching_source()));
  EXPECT_THAT(failure.detail, testing::AllOf(HasSubstr("requires separate compilation mode"),
                                             HasSubstr("name -rdc=true in extra_cuda_cflags")));
  auto request = with_cuda(launching_source());
  request.cuda_cflags = {"-rdc=true"};
  EXPECT_EQ(made(request).resources.size(), 2u);
  request.ldflags = {"-lcudadevrt"};
  request.cpp_sources = {std::string(kScaleDeclaration) +
                         "\ntorch::Tensor twice(torch::Tensor x) { return scale(x, 2.0); }\n"};
  request.functions = {{"twice", "twice"}};
  EXPECT_EQ(made(request).resources.size(), 2u) << "of two units as well";
}

TEST_F(SlimBuilds, AToolkitThatCannotLinkForTheDeviceIsTheMachinesWhateverASourcePrints) {
  const ExtensionBuilder lacking(
      languages::without_device_runtime(builder_->toolchain(), folder_ / "toolkit"),
      languages::BuildSettings{folder_ / "cache", isolation_, default_extension_limits()});
  auto request = with_cuda(launching_source());
  request.cuda_cflags = {"-rdc=true"};
  const auto missing = lacking.build_slim(request);
  ASSERT_TRUE(std::holds_alternative<languages::BuildFailure>(missing));
  EXPECT_EQ(std::get<languages::BuildFailure>(missing).reason, Reason::compiler_missing);
  const auto printing = with_cuda("#error ptxas fatal nvlink: not found\n" + launching_source());
  EXPECT_EQ(failed(printing).reason, Reason::compile_error) << "by a toolkit that can";
}

TEST_F(SlimBuilds, ArchitecturesAreFittedToTheDevice) {
  auto request = scale_request();
  request.cuda_cflags = {"-arch=sm_80"};
  const auto artefact = made(request);
  EXPECT_EQ(artefact.resources.at(0).architecture, "sm_90") << "as the driver would assemble it";
  EXPECT_THAT(artefact.flags, testing::ElementsAre("-gencode=arch=compute_80,code=sm_90"));
  request.cuda_cflags = {"-gencode", "arch=compute_70,code=sm_70"};
  EXPECT_THAT(failed(request).detail, HasSubstr("does not run on this device (sm_90)"));
  request.cuda_cflags = {"-gencode=arch=compute_70,code=sm_70 -gencode=arch=compute_90a,code=sm_90a"};
  EXPECT_EQ(made(request).resources.at(0).architecture, "sm_90a");
}

TEST_F(SlimBuilds, FlagsGetWhatNvccMakesOfThem) {
  auto request =
      with_cuda("static_assert(WIDTH == 4 && __cplusplus > 201703L, \"\");\n" + std::string(kScaleSource));
  request.cuda_cflags = {"-std=c++20", "-x", "cu", "-DWIDTH=4", "-fPIC", "--maxrregcount", "32"};
  const auto artefact = made(request);
  EXPECT_EQ(artefact.note, "left out -fPIC, which nvcc itself refuses");
  EXPECT_LE(artefact.resources.at(0).registers, 32);
  EXPECT_EQ(made(request).note, artefact.note) << "out of the cache too";
  request.cuda_cflags = {"-std=gnu++17"};
  const auto refused = failed(request);
  EXPECT_EQ(refused.reason, Reason::forbidden_flag);
  EXPECT_THAT(refused.detail,
              StartsWith("extra_cuda_cflags: the compiler flag -std=gnu++17 is not allowed; nvcc"));
}

TEST_F(SlimBuilds, WarningsMayBeSilencedInAllWaysThatAnswersSilenceThem) {
  auto request = scale_request();
  request.cflags = {"-Wno-unused-variable"};
  request.cuda_cflags = {"-forward-unknown-to-host-compiler", "-Wno-unused-variable",
                         "-Wno-deprecated-gpu-targets", "-Xcompiler", "-v,-Wno-sign-compare,-x=c++"};
  const auto artefact = made(request);
  EXPECT_EQ(artefact.note, "");
  EXPECT_THAT(artefact.log, testing::Not(HasSubstr("built-in specs"))) << "of a g++ that is told -v";
  request.cuda_cflags = {"-Wno-unused-variable"};
  EXPECT_EQ(made(request).note, "left out -Wno-unused-variable, which nvcc itself refuses");
}

TEST_F(SlimBuilds, OpenMPIsLinkedWhereTheLinkersFlagsAloneNameIt) {
  auto request =
      with_cuda("#include <omp.h>\n" + replaced(kScaleSource, "const int n = x.numel()",
                                                "const int n = x.numel() * omp_get_max_threads()"));
  EXPECT_THAT(not_slim(request).because, HasSubstr("omp_get_max_threads"));
  request.ldflags = {"-fopenmp"};
  EXPECT_GT(made(request).bytes, 0u);
  request.cpp_sources = {std::string(kScaleDeclaration) +
                         "\ntorch::Tensor twice(torch::Tensor x) { return scale(x, 2.0); }\n"};
  request.functions = {{"twice", "twice"}};
  EXPECT_GT(made(request).bytes, 0u) << "of two units as well";
}

TEST_F(SlimBuilds, NorDoesWhatTheAssemblerRefuses) {
  const auto failure = failed(
      with_cuda(replaced(kScaleSource, "  if (i < n)",
                         "  __shared__ float big[1 << 20];\n  big[threadIdx.x] = x[i];\n  __syncthreads();\n"
                         "  out[0] = big[threadIdx.x + 1];\n  if (i < n)")));
  EXPECT_EQ(failure.reason, Reason::compile_error);
  EXPECT_THAT(failure.detail, HasSubstr("uses too much shared data"));
}

TEST_F(SlimBuilds, ForbiddenFlagsAndNames) {
  auto request = scale_request();
  request.cuda_cflags = {"-Xcompiler=-fplugin=x"};
  EXPECT_EQ(failed(request).reason, Reason::forbidden_flag);
  request = scale_request();
  for (const auto& name : {std::string("a-b"), std::string(), std::string("1a"), std::string(100'000, 'a')}) {
    request.name = name;
    EXPECT_THAT(failed(request).detail, HasSubstr("no C identifier"));
    EXPECT_LT(failed(request).detail.size(), 400u);
  }
}

TEST_F(SlimBuilds, HalfAccessorsStreamsAndGuards) {
  auto request = scale_request();
  request.cpp_sources = {"torch::Tensor scale(torch::Tensor x);"};
  request.cuda_sources = {
      "#include <torch/extension.h>\n#include <ATen/cuda/CUDAContext.h>\n#include <c10/cuda/CUDAGuard.h>\n"
      "#include <cuda_fp16.h>\n"
      "template <typename T>\n__global__ void twice(torch::PackedTensorAccessor32<T, 2, "
      "torch::RestrictPtrTraits> x,\n"
      "    T* out, const __half* h) {\n"
      "  out[threadIdx.x] = x[0][threadIdx.x] + static_cast<T>(2.0f) * x[1][threadIdx.x];\n"
      "  if (threadIdx.x == 0) out[0] += static_cast<T>(__half2float(h[0]));\n}\n"
      "torch::Tensor scale(torch::Tensor x) {\n"
      "  const at::cuda::OptionalCUDAGuard guard(device_of(x));\n"
      "  auto out = torch::zeros({x.size(0), (int)x.size(1)}, torch::TensorOptions().dtype(x.dtype()));\n"
      "  AT_DISPATCH_FLOATING_TYPES_AND_HALF(x.scalar_type(), \"scale\", ([&] {\n"
      "    twice<scalar_t><<<1, 32, 0, at::cuda::getCurrentCUDAStream()>>>(\n"
      "        x.packed_accessor32<scalar_t, 2, torch::RestrictPtrTraits>(), out.data_ptr<scalar_t>(),\n"
      "        reinterpret_cast<const __half*>(x.data_ptr<at::Half>()));\n"
      "  }));\n  C10_CUDA_KERNEL_LAUNCH_CHECK();\n  return out;\n}\n"};
  const auto artefact = made(request);
  EXPECT_EQ(artefact.resources.size(), 3u);
}

/// Everything that the check in python/ calls; no kernel, so that no GPU is needed.
ExtensionRequest host_request() {
  ExtensionRequest request;
  request.name = "host_module";
  request.has_functions = false;
  request.cpp_sources = {R"(
torch::Tensor scale(torch::Tensor x, float by) {
  auto out = torch::zeros_like(x);
  for (int64_t i = 0; i < x.numel(); ++i) out.data_ptr<float>()[i] = x.data_ptr<float>()[i] * by;
  return out;
}
void checked(const torch::Tensor& x) {
  TORCH_CHECK(x.dim() == 2, "want a matrix, got ", x.dim(), " dims of ", x.sizes());
}
int64_t size_at(const at::Tensor x, int64_t i) { return x.size(i); }
void throws() { throw std::invalid_argument("thrown"); }
int dispatched(torch::Tensor x) {
  return AT_DISPATCH_FLOATING_TYPES(x.scalar_type(), "dispatched", [&] { return int(sizeof(scalar_t)); });
}
torch::Tensor zeros(std::vector<int64_t> size) { return torch::zeros(size, torch::kFloat32); }
double total(torch::Tensor x) { return x.sum().item<float>(); }
torch::Tensor doubled(torch::Tensor x) { x.mul_(2.0); return x; }
c10::optional<torch::Tensor> same(c10::optional<torch::Tensor> x) { return x; }
std::tuple<int64_t, std::string, std::vector<int64_t>> several(std::vector<torch::Tensor> x, const std::string& text,
                                                               bool loud) {
  return {int64_t(x.size()), loud ? text + "!" : text, x[0].sizes().vec()};
}
torch::Tensor keeps(torch::Tensor x) { static torch::Tensor kept; kept = x; return kept; }
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
  m.doc() = "host functions";
  m.def("scale", &scale, "doc", py::arg("x"), py::arg("by") = 1.0f);
  m.def("checked", &checked);
  m.def("size_at", &size_at);
  m.def("throws", &throws);
  m.def("dispatched", &dispatched);
  m.def("zeros", &zeros);
  m.def("total", &total);
  m.def("doubled", &doubled);
  m.def("optional", &same);
  m.def("several", &several);
  m.def("overloaded", [](int) { return std::string("int"); });
  m.def("overloaded", [](double) { return std::string("double"); });
  m.def("overloaded", [](std::string) { return std::string("text"); });
  m.def("integer", [](int i) { return i; });
  const int twice = 2;
  m.def("lambda_twice", [twice](int i) { return i * twice; });
  m.def("keeps", &keeps);
}
)"};
  return request;
}

TEST_F(SlimBuilds, PythonCallsTheModuleAsIfPybind11HadMadeIt) {
  const auto artefact = made(host_request());
  const auto folder =
      std::string(RIDGELINE_SOURCE_DIR) + "/tests/engine/worker/languages/torch_extension/python";
  const auto python = languages::find_program("python3");
  ASSERT_TRUE(python) << "install python3";
  const auto toolkit = std::filesystem::path(builder_->toolchain().program).parent_path().parent_path();
  sandbox::Policy policy;
  policy.isolated(sandbox::Isolation::none).system_programs();
  for (const char* name : {"PATH", "HOME"})
    if (const char* value = std::getenv(name)) policy.env(name, value);
  policy.env("LD_LIBRARY_PATH", (toolkit / "lib64").string() + ":" + (toolkit / "lib").string());
  policy.limits.wall_seconds = 60;
  const auto exit =
      sandbox::spawn(policy, {*python, folder + "/check_module.py", folder, artefact.library.string()})
          .wait();
  EXPECT_EQ(exit.out, "ok\n") << exit.err;
}

}  // namespace
}  // namespace ridgeline::torch_extension
