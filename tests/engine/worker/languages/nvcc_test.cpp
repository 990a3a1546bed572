// Real builds with nvcc, without GPU. Part of the tests where nvcc is found when they are configured.
#include <dlfcn.h>
#include <gmock/gmock.h>

#include <fstream>

#include "engine/worker/languages/cuda/cuda_compiler.hpp"
#include "engine/worker/languages/cuda/cuda_support.hpp"
#include "languages_test.hpp"

namespace ridgeline::languages {
namespace {

using testing::HasSubstr;
using testing::Not;

/// The launch of `body`, a kernel of scaled_sum's arguments that stands before it.
std::string cuda_source(const std::string& body, const std::string& before = "") {
  return "#include <cstdint>\n" + before +
         "__global__ void add(const float* a, const float* b, float* out, int64_t n, float scale) {\n" +
         body + "}\nextern \"C\" void kernel_scaled_sum" + kSignature +
         "void* stream) {\n"
         "  add<<<(M * N + 255) / 256, 256, 0, (cudaStream_t)stream>>>(a, b, out, M * N, float(scale));\n"
         "  (void)shift, (void)negate;\n}\n";
}

const std::string kBody =
    "  const int64_t i = blockIdx.x * int64_t(blockDim.x) + threadIdx.x;\n"
    "  __shared__ float tile[256];\n  tile[255 - threadIdx.x] = i < n ? a[i] : 0;\n  __syncthreads();\n"
    "  if (i < n) out[i] = scale * (tile[threadIdx.x] + b[i]);\n";

class Nvcc : public Languages {
 protected:
  static void SetUpTestSuite() {
    Languages::SetUpTestSuite();
    const auto nvcc = find_nvcc(isolation_, compiler_->toolchain());
    ASSERT_TRUE(nvcc) << "nvcc was there when this was configured";
    cuda_ = std::make_unique<CudaCompiler>(
        *nvcc, BuildSettings{folder_ / "cache", isolation_, default_cuda_build_limits()});
  }
  static void TearDownTestSuite() {
    cuda_.reset();
    Languages::TearDownTestSuite();
  }
  static BuildResult nvcc(const std::string& source, const Task& task = scaled_sum(),
                          const std::vector<std::string>& flags = default_cuda_flags()) {
    return cuda_->build(task, make_candidate(Language::cuda, source), flags);
  }
  static inline std::unique_ptr<CudaCompiler> cuda_;
};

TEST_F(Nvcc, IsFoundWithItsVersionAndNotUnderANameThatIsNone) {
  EXPECT_THAT(cuda_->toolchain().version, testing::MatchesRegex("nvcc [0-9]+\\.[0-9.]+"));
  EXPECT_FALSE(find_nvcc(isolation_, compiler_->toolchain(), {"no-such-nvcc", "/no/such/nvcc", "/bin/true"}));
}

TEST_F(Nvcc, HonestKernelIsBuiltWithItsFactsAndKept) {
  const auto artefact = good(nvcc(cuda_source(kBody)));
  EXPECT_FALSE(artefact.cached);
  EXPECT_THAT(artefact.log, Not(HasSubstr("ptxas info")));
  ASSERT_EQ(artefact.resources.size(), 1u);
  EXPECT_EQ(artefact.resources[0].kernel, "add");
  EXPECT_EQ(artefact.resources[0].architecture, "sm_90");
  EXPECT_EQ(artefact.resources[0].shared, 1024);
  EXPECT_EQ(artefact.resources[0].barriers, 1);
  EXPECT_GT(artefact.resources[0].registers, 4);
  const auto again = good(nvcc(cuda_source(kBody)));
  EXPECT_TRUE(again.cached);
  EXPECT_EQ(again.library, artefact.library);
  ASSERT_EQ(again.resources.size(), 1u) << "the facts came out of the cache too";
  EXPECT_EQ(again.resources[0].registers, artefact.resources[0].registers);
  EXPECT_EQ(scratch_folders(), 0u);
}

TEST_F(Nvcc, TheTrampolineReportsALaunchThatFailed) {
  const auto artefact = good(nvcc(cuda_source(kBody)));
  Loaded library{artefact};
  float x = 0;
  // No device, or a grid of no blocks.
  const int error = library.call({&x, &x, &x}, {0, 0}, {1}, {0, 0});
  EXPECT_NE(error, 0);
  void* const handle = ::dlopen(artefact.library.c_str(), RTLD_NOW | RTLD_NOLOAD);
  ASSERT_NE(handle, nullptr);
  const auto text = reinterpret_cast<ErrorTextFunction>(::dlsym(handle, kErrorTextSymbol));
  ASSERT_NE(text, nullptr);
  EXPECT_THAT(text(error), testing::AnyOf(HasSubstr("driver"), HasSubstr("device"),
                                          HasSubstr("configuration"), HasSubstr("invalid argument")));
  ::dlclose(handle);
}

TEST_F(Nvcc, WorkspaceHalfAndBfloat16WithAndWithoutTheirHeaders) {
  Task task;
  task.name = "mixed";
  task.sizes = {"N"};
  for (const auto& [dtype, name] : enum_names(DType{})) {
    Tensor tensor;
    tensor.name = "t" + std::to_string(task.parameters.size());
    tensor.dtype = dtype;
    tensor.role = task.parameters.size() % 2 ? Role::inout : Role::in;
    task.parameters.emplace_back(tensor);
  }
  std::string parameters;
  for (const auto& argument : kernel_arguments(task, Language::cuda, true))
    parameters += (parameters.empty() ? "" : ", ") + argument.type;
  const std::string rest =
      "extern \"C\" size_t kernel_mixed_workspace(int64_t n) { return 4 * n; }\n"
      "extern \"C\" void kernel_mixed(" +
      parameters + ") {}\n";
  const auto with =
      good(nvcc("#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n#include <cstdint>\n" + rest, task));
  EXPECT_EQ(Loaded{with}.workspace({3}), 12u);
  good(nvcc("#include <cstdint>\nstruct __half;\nstruct __nv_bfloat16;\n" + rest, task));
}

TEST_F(Nvcc, CompileErrorsNameTheCandidatesLines) {
  const auto failure = bad(nvcc(cuda_source("  out[0] = undeclared_name;\n")));
  EXPECT_EQ(failure.reason, Reason::compile_error);
  EXPECT_EQ(failure.detail, "kernel.cu(3): error: identifier \"undeclared_name\" is undefined");
  EXPECT_EQ(scratch_folders(), 0u);
}

TEST_F(Nvcc, WrongSignatureIsACompileErrorThatNamesTheRightOne) {
  const auto failure = bad(nvcc("extern \"C\" void kernel_scaled_sum(float* a, int n) {}\n"));
  EXPECT_EQ(failure.reason, Reason::compile_error);
  EXPECT_THAT(failure.log, HasSubstr("void kernel_scaled_sum(const float*, const float*, float*, int64_t, "
                                     "int64_t, double, int64_t, bool, void*)"));
}

TEST_F(Nvcc, MissingEntryPoint) {
  expect_reason(nvcc("__global__ void k() {}\n"), Reason::missing_entry_point);
  auto mangled = cuda_source(kBody);
  mangled.replace(mangled.find("extern \"C\" "), 11, "");
  expect_reason(nvcc(mangled), Reason::missing_entry_point);
}

TEST_F(Nvcc, ReportsWhatTheAssemblerAndTheLinkerRefuse) {
  const auto shared =
      bad(nvcc(cuda_source("  __shared__ float big[1 << 20];\n  big[threadIdx.x] = a[0];\n"
                           "  __syncthreads();\n  out[0] = big[threadIdx.x + 1];\n")));
  EXPECT_EQ(shared.reason, Reason::compile_error);
  EXPECT_THAT(shared.detail, HasSubstr("uses too much shared data"));
  EXPECT_THAT(shared.log, Not(HasSubstr("ptxas info")));
  auto source = cuda_source(kBody, "void elsewhere();\n");
  source.insert(source.rfind('}'), "  elsewhere();\n");
  EXPECT_THAT(bad(nvcc(source)).detail,
              testing::MatchesRegex(".*undefined reference to [`']elsewhere\\(\\)'.*"));
}

TEST_F(Nvcc, ArchitectureSpecificCodeWhereItIsAskedFor) {
  const auto source = cuda_source("  asm volatile(\"setmaxnreg.inc.sync.aligned.u32 128;\");\n" + kBody);
  expect_reason(nvcc(source), Reason::compile_error);
  const auto artefact = good(nvcc(source, scaled_sum(), {"-O3", "-arch=sm_90a"}));
  EXPECT_EQ(artefact.resources.at(0).architecture, "sm_90a");
}

const std::string kChild = "__global__ void child(float* out) { *out = 1; }\n";

TEST_F(Nvcc, KernelsThatLaunchKernelsAreLinkedForTheDevice) {
  const auto source = cuda_source("  child<<<1, 1>>>(out);\n" + kBody, kChild);
  const auto artefact = good(nvcc(source));
  EXPECT_THAT(artefact.flags, testing::Contains("-rdc=true"));
  std::vector<std::string> kernels;
  for (const auto& kernel : artefact.resources) kernels.push_back(kernel.kernel);
  EXPECT_THAT(kernels, testing::UnorderedElementsAre("add", "child"));
  EXPECT_THAT(artefact.log, Not(HasSubstr("ptxas info")));
  {
    Loaded library{artefact};  // nothing is left open
    float x = 0;
    EXPECT_NE(library.call({&x, &x, &x}, {0, 0}, {1}, {0, 0}), 0) << "no device, or a grid of no blocks";
  }
  const auto again = good(nvcc(source));
  EXPECT_TRUE(again.cached);
  EXPECT_THAT(again.flags, testing::Contains("-rdc=true")) << "said out of the cache too";
  EXPECT_EQ(scratch_folders(), 0u);
}

TEST_F(Nvcc, SoAreCallsOfTheDevicesRuntimeAndExternVariables) {
  for (const auto& source :
       {cuda_source("  int device;\n  cudaGetDevice(&device);\n  out[0] = device + cudaGetLastError();\n"),
        cuda_source("  out[0] = weights[1];\n",
                    "extern __constant__ float weights[16];\n__constant__ float weights[16];\n")})
    EXPECT_THAT(good(nvcc(source)).flags, testing::Contains("-rdc=true"));
}

TEST_F(Nvcc, OtherSourcesAreLinkedForTheDeviceOnlyIfTheFlagsSaySo) {
  EXPECT_THAT(good(nvcc(cuda_source(kBody))).flags, Not(testing::Contains("-rdc=true")));
  const auto artefact = good(nvcc(cuda_source(kBody), scaled_sum(), {"-O3", "-rdc=true"}));
  EXPECT_THAT(artefact.flags, testing::ElementsAre("-O3", "-rdc=true", "-arch=sm_90"));
  EXPECT_EQ(artefact.resources.at(0).kernel, "add");
}

TEST_F(Nvcc, AMistakeInASourceThatLaunchesFromTheDeviceIsTold) {
  const auto failure =
      bad(nvcc(cuda_source("  child<<<1, 1>>>(out);\n  cudaDeviceSynchronize();\n" + kBody, kChild)));
  EXPECT_EQ(failure.reason, Reason::compile_error);
  EXPECT_EQ(failure.detail,
            "kernel.cu(5): error: calling a __host__ function(\"cudaDeviceSynchronize\") from a __global__ "
            "function(\"add\") is not allowed");
}

TEST_F(Nvcc, AnArchitectureThatNvccBuildsNothingForIsToldWithItsRepair) {
  const auto failure = bad(nvcc(cuda_source(kBody), scaled_sum(), {"-gencode=arch=compute_20,code=sm_20"}));
  EXPECT_EQ(failure.reason, Reason::compile_error);
  EXPECT_THAT(failure.detail,
              testing::AllOf(HasSubstr("nsupported gpu architecture"), HasSubstr("name no architecture")));
}

TEST_F(Nvcc, TheBuilderFitsArchitecturesToItsDevice) {
  BuilderMeans means;
  means.tools.host = compiler_->toolchain();
  means.tools.nvcc = cuda_->toolchain();
  means.settings = {folder_ / "cache", isolation_};
  means.architecture = [] { return std::string("sm_90a"); };
  const auto builder = cuda_support().make_builder(means);
  protocol::Evaluate request;
  request.task = scaled_sum();
  request.candidate = make_candidate(Language::cuda, cuda_source(kBody));
  EXPECT_EQ(good(builder->build(request)).resources.at(0).architecture, "sm_90a");
  request.settings.build_flags = {"-O2", "-arch", "sm_80"};
  const auto older = good(builder->build(request));
  EXPECT_EQ(older.resources.at(0).architecture, "sm_90");
  EXPECT_THAT(older.flags, testing::ElementsAre("-O2", "-gencode=arch=compute_80,code=sm_90"));
  request.settings.build_flags = {"-gencode=arch=compute_70,code=sm_70"};
  const auto nowhere = bad(builder->build(request));
  EXPECT_EQ(nowhere.reason, Reason::compile_error);
  EXPECT_THAT(nowhere.detail, HasSubstr("build for sm_70 alone, which does not run on this device (sm_90a)"));
  request.settings.build_flags = {"-std=gnu++17"};
  EXPECT_THAT(bad(builder->build(request)).detail, HasSubstr("nvcc takes c++11"));
}

TEST_F(Nvcc, ForbiddenFlagAndUnsupportedLanguage) {
  expect_reason(nvcc(cuda_source(kBody), scaled_sum(), {"-Xcompiler=-fplugin=x"}), Reason::forbidden_flag);
  expect_reason(cuda_->build(scaled_sum(), make_candidate(Language::cpp, honest_source())),
                Reason::unsupported);
}

TEST_F(Nvcc, FilesOfTheHostCannotBeRead) {
  if (isolation_ == sandbox::Isolation::none) GTEST_SKIP() << "this machine confines nothing";
  const auto secret = folder_ / "expected_outputs.txt";
  std::ofstream{secret} << "the_secret_value\n";
  for (const auto& text :
       {"#include \"" + secret.string() + "\"\n",
        std::string{"asm(\".section .rodata\\n.incbin \\\""} + secret.string() + "\\\"\\n.text\");\n"}) {
    const auto failure = bad(nvcc(cuda_source(kBody, text)));
    EXPECT_EQ(failure.reason, Reason::compile_error) << failure.log;
    EXPECT_THAT(failure.log, Not(HasSubstr("the_secret_value")));
  }
}

TEST_F(Nvcc, EndlessTemplatesMeetALimit) {
  BuildSettings settings{folder_ / "cache", isolation_, default_cuda_build_limits()};
  settings.limits.cpu_seconds = 3;
  settings.limits.address_space = 1u << 30;
  const CudaCompiler squeezed{cuda_->toolchain(), settings};
  const auto failure = bad(squeezed.build(
      scaled_sum(),
      make_candidate(
          Language::cuda,
          cuda_source(kBody,
                      "template <int N, long M> struct F { static constexpr long v = F<N - 1, 2 * M>::v "
                      "+ F<N - 1, 2 * M + 1>::v; };\n"
                      "template <long M> struct F<0, M> { static constexpr long v = M; };\n"
                      "__device__ long explosion = F<40, 1>::v;\n"))));
  EXPECT_TRUE(failure.reason == Reason::build_timeout || failure.reason == Reason::build_limits)
      << to_string(failure.reason) << failure.log;
  EXPECT_EQ(scratch_folders(), 0u);
}

}  // namespace
}  // namespace ridgeline::languages
