// A failure is the machine's where the toolkit cannot link device code, whatever a source has printed.
#include <gmock/gmock.h>

#include "engine/worker/languages/cuda/cuda_compiler.hpp"
#include "languages_test.hpp"
#include "toolkit_without_device_runtime.hpp"

namespace ridgeline::languages {
namespace {

using testing::HasSubstr;

std::string source_with(const std::string& before, const std::string& body) {
  return "#include <cstdint>\n" + before + "__global__ void child(float* out) { *out = 1; }\n" +
         "__global__ void parent(float* out) { " + body + " }\nextern \"C\" void kernel_scaled_sum" +
         kSignature +
         "void* stream) {\n  parent<<<1, 1, 0, (cudaStream_t)stream>>>(out);\n"
         "  (void)a, (void)b, (void)scale, (void)shift, (void)negate;\n}\n";
}

const std::string kLaunch = "child<<<1, 1>>>(out);";

class DeviceLinks : public Languages {
 protected:
  static void SetUpTestSuite() {
    Languages::SetUpTestSuite();
    const auto nvcc = find_nvcc(isolation_, compiler_->toolchain());
    ASSERT_TRUE(nvcc) << "nvcc was there when this was configured";
    const BuildSettings settings{folder_ / "cache", isolation_, default_cuda_build_limits()};
    whole_ = std::make_unique<CudaCompiler>(*nvcc, settings);
    lacking_ = std::make_unique<CudaCompiler>(without_device_runtime(*nvcc, folder_ / "toolkit"), settings);
  }
  static void TearDownTestSuite() {
    whole_.reset();
    lacking_.reset();
    Languages::TearDownTestSuite();
  }
  static BuildFailure failed(const CudaCompiler& compiler, const std::string& source,
                             const std::vector<std::string>& flags = default_cuda_flags()) {
    return bad(compiler.build(scaled_sum(), make_candidate(Language::cuda, source), flags));
  }
  static inline std::unique_ptr<CudaCompiler> whole_, lacking_;
};

TEST_F(DeviceLinks, AToolkitThatCannotMakeThemIsTheMachines) {
  for (const auto& flags : {default_cuda_flags(), std::vector<std::string>{"-rdc=true"}}) {
    const auto failure = failed(*lacking_, source_with("", kLaunch), flags);
    EXPECT_EQ(to_string(failure.reason), to_string(Reason::compiler_missing)) << failure.log;
    EXPECT_EQ(failure.detail, no_device_link);
    EXPECT_THAT(failure.log, HasSubstr("nvlink error   : Undefined reference to '__cudaCDP"));
  }
}

TEST_F(DeviceLinks, ASourceThatPrintsTheLinkersWordsFailsByItself) {
  const std::string words[] = {"#error nvlink: not found\n",
                               "static_assert(false, \"cannot find -lcudadevrt\");\n",
                               "#pragma message(\"Undefined reference to '__cudaCDP\")\n#error no\n"};
  for (const auto& printed : words)
    for (const auto& flags : {default_cuda_flags(), std::vector<std::string>{"-rdc=true"}}) {
      const auto failure = failed(*whole_, source_with(printed, kLaunch), flags);
      EXPECT_EQ(to_string(failure.reason), to_string(Reason::compile_error)) << printed << failure.log;
      EXPECT_EQ(failure.detail.find("toolkit"), std::string::npos) << failure.detail;
    }
}

TEST_F(DeviceLinks, ANameThatOnlyTheRuntimeMayDefineIsTheSources) {
  const auto failure =
      failed(*whole_, source_with("extern \"C\" __device__ int __cudaCDP2NoSuchFunction(int);\n",
                                  kLaunch + " out[1] = __cudaCDP2NoSuchFunction(2);"));
  EXPECT_EQ(to_string(failure.reason), to_string(Reason::compile_error)) << failure.log;
}

TEST_F(DeviceLinks, OtherMistakesStayTheSourcesUnderAToolkitThatCannotMakeThem) {
  EXPECT_EQ(failed(*lacking_, source_with("", kLaunch + " undeclared();")).reason, Reason::compile_error);
}

}  // namespace
}  // namespace ridgeline::languages
