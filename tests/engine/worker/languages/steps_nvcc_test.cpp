// Our own run of nvcc's steps against nvcc's, without GPU. Part of the tests where nvcc is found when they
// are configured.
#include <gmock/gmock.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <regex>

#include "engine/worker/languages/cuda/cuda_compiler.hpp"
#include "languages_test.hpp"
#include "tests/places.hpp"

namespace ridgeline::languages {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ifstream stream{file, std::ios::binary};
  return {std::istreambuf_iterator<char>{stream}, {}};
}

/// Removes what differs from build to build: the folder, nvcc's module id, and the source's time among the
/// lines' files.
std::string without_chance(std::string text) {
  text = std::regex_replace(text, std::regex{"kernel\\.cu\\x00\\x01[\\s\\S]{5}"}, "kernel.cu at its time");
  text = std::regex_replace(text, std::regex{"_[0-9a-f]{8}_9_kernel_cu_[0-9a-f]{8}"}, "_ID");
  return std::regex_replace(text, std::regex{"(cache|whole)/scratch-[A-Za-z0-9]{6}"}, "folder");
}

std::string entry(const std::string& body = "") {
  return std::string{"extern \"C\" void kernel_scaled_sum"} + kSignature + "void* stream) {" + body + "}\n";
}

class NvccSteps : public Languages {
 protected:
  static void SetUpTestSuite() {
    Languages::SetUpTestSuite();
    const auto nvcc = find_nvcc(isolation_, compiler_->toolchain());
    ASSERT_TRUE(nvcc) << "nvcc was there when this was configured";
    limits_ = default_cuda_build_limits();
    steps_ = std::make_unique<CudaCompiler>(*nvcc, BuildSettings{folder_ / "cache", isolation_, limits_});
    whole_ = std::make_unique<CudaCompiler>(without_plan(*nvcc),
                                            BuildSettings{folder_ / "whole", isolation_, limits_});
  }
  static void TearDownTestSuite() {
    steps_.reset();
    whole_.reset();
    Languages::TearDownTestSuite();
  }

  /// An nvcc that tells no plan, so that it has to run its steps itself.
  static CudaToolchain without_plan(CudaToolchain toolchain) {
    const auto folder = folder_ / "silent";
    fs::create_directory(folder);
    std::ofstream{folder / "nvcc"} << "#!/bin/sh\ncase \" $* \" in *' --dryrun '*) exit 1 ;; esac\nexec '"
                                   << toolchain.program << "' \"$@\"\n";
    fs::permissions(folder / "nvcc", fs::perms::owner_all);
    toolchain.roots.push_back(folder.string());
    toolchain.program = (folder / "nvcc").string();
    return toolchain;
  }

  static BuildResult built(const CudaCompiler& compiler, const std::string& source,
                           const std::vector<std::string>& flags = default_cuda_flags()) {
    return compiler.build(scaled_sum(), make_candidate(Language::cuda, source), flags);
  }
  static std::string device_code(const BuildArtefact& artefact) {
    const auto out = folder_ / "code.bin";
    fs::remove(out);
    const auto command =
        "objcopy -O binary --only-section=.nv_fatbin --set-section-flags .nv_fatbin=alloc '" +
        artefact.library.string() + "' '" + out.string() + "'";
    if (std::system(command.c_str()) != 0) throw std::runtime_error("objcopy");
    return without_chance(text_of(out));
  }
  static void expect_the_same(const std::string& source, const std::string& what,
                              const std::vector<std::string>& flags = default_cuda_flags()) {
    const auto ours = good(built(*steps_, source, flags)), theirs = good(built(*whole_, source, flags));
    EXPECT_FALSE(ours.cached);
    const auto code = device_code(ours);
    EXPECT_GT(code.size(), 1000u) << what;
    const auto expected = device_code(theirs);
    const auto at = std::ranges::mismatch(code, expected).in1 - code.begin();
    EXPECT_TRUE(code == expected) << what << " differs at " << at << ": "
                                  << testing::PrintToString(code.substr(std::max<long>(at, 60) - 60, 90))
                                  << "\n"
                                  << testing::PrintToString(expected.substr(std::max<long>(at, 60) - 60, 90));
    EXPECT_EQ(without_chance(ours.log), without_chance(theirs.log)) << what;
    ASSERT_EQ(ours.resources.size(), theirs.resources.size()) << what;
    for (std::size_t i = 0; i < ours.resources.size(); ++i)
      EXPECT_EQ(ours.resources[i].registers, theirs.resources[i].registers) << what;
  }
  static void expect_the_same_failure(const std::string& source) {
    const auto ours = bad(built(*steps_, source)), theirs = bad(built(*whole_, source));
    EXPECT_EQ(to_string(ours.reason), to_string(theirs.reason));
    const auto named =
        [](const std::string& log) {  // nvcc without --keep names what lies between its steps by chance
          return std::regex_replace(without_chance(log),
                                    std::regex{"[^ \\n]*tmpxft[0-9a-f_]*-[0-9]*_|kernel\\.o:"}, "");
        };
    EXPECT_EQ(named(ours.detail), named(theirs.detail));
    EXPECT_EQ(named(ours.log), named(theirs.log));
  }

  static inline sandbox::Limits limits_;
  static inline std::unique_ptr<CudaCompiler> steps_, whole_;
};

TEST_F(NvccSteps, SameDeviceCodeAndFactsAsNvccWithAndWithoutHeadersReadAhead) {
  const auto kernels = places::sources() / "tests" / "benchmark_tasks" / "kernels";
  const auto source = text_of(kernels / "softmax.cu") + entry();
  expect_the_same(source, "softmax before");
  ASSERT_TRUE(steps_->warm_up());
  for (const char* name : {"softmax", "matmul_bf16", "argmax"})
    expect_the_same("// again\n" + text_of(kernels / (std::string{name} + ".cu")) + entry(), name);
}

TEST_F(NvccSteps, HeadersAreReadAheadForTheSecondBuildWithItsFlags) {
  const auto headers = [] {
    return std::ranges::count_if(fs::directory_iterator(folder_ / "cache"), [](const auto& entry) {
      return entry.path().filename().string().starts_with("header-");
    });
  };
  const auto before = headers();
  const std::vector<std::string> flags = {"-O2", "-arch=sm_80", "-DTWICE=2"};
  good(built(*steps_, "int first;\n" + entry(), flags));
  EXPECT_EQ(headers(), before);
  good(built(*steps_, "int second = TWICE;\n" + entry(), flags));
  EXPECT_EQ(headers(), before + 1);
  EXPECT_EQ(scratch_folders(), 0u);
}

TEST_F(NvccSteps, UsesTheHeadersThatWereReadAhead) {
  const std::vector<std::string> flags = {"-O3", "-arch=sm_90", "-DPLANTED=1"};
  ASSERT_TRUE(steps_->warm_up(flags));
  for (const auto& entry : fs::directory_iterator(folder_ / "cache"))
    if (fs::exists(entry.path() / "host.ii"))
      for (const char* name : {"host.ii", "device.ii"})
        std::ofstream{entry.path() / name, std::ios::app} << "enum { planted_in_the_header = 42 };\n";
  good(built(*steps_, "static_assert(planted_in_the_header == 42, \"\");\n" + entry(), flags));
}

TEST_F(NvccSteps, SameWordsAsNvcc) {
  ASSERT_TRUE(steps_->warm_up());
  for (const std::string& source :
       {"__global__ void k(int* x) { *x = undeclared; }\n" + entry(), "#include \"not_there.h\"\n" + entry(),
        "#define CUDART_VERSION 1\n__device__ int x = ;\n" + entry(),
        "void elsewhere();\n" + entry("elsewhere();"),
        "template <class T> struct A { static_assert(sizeof(T) == 0, \"no\"); };\n__device__ A<int> a;\n" +
            entry(),
        std::string{"__global__ void k() { asm(\"no such instruction;\"); }\n"} + entry("k<<<1, 1>>>();"),
        std::string{"__device__ int only_here();\n__global__ void k(int* x) { *x = only_here(); }\n"} +
            entry(),
        std::string{"int kernel_scaled_sum_2;\n"}})
    expect_the_same_failure(source);
}

TEST_F(NvccSteps, BuildsAsNvccDoesWhatTheHeadersWouldHide) {
  ASSERT_TRUE(steps_->warm_up());
  // A macro of the headers defined anew (said with its place), headers again, and what counts or undoes
  // macros.
  expect_the_same(
      "#include <cuda_runtime.h>\n#define NULL 0L\n#include <cmath>\n#undef NAN\n"
      "__device__ int counted = __COUNTER__, at = __LINE__;\nstatic __device__ const char* in = __FILE__;\n"
      "__global__ void k(const char** p, int* x) { *p = in; *x = counted + at; int unused; }\n" +
          entry(),
      "macros");
}

TEST_F(NvccSteps, SeveralArchitecturesAreLeftToNvcc) {
  const auto artefact =
      good(built(*steps_, "__global__ void k(int* x) { *x = 1; }\n" + entry(),
                 {"-gencode=arch=compute_80,code=sm_80", "-gencode=arch=compute_90,code=sm_90"}));
  std::vector<std::string> architectures;
  for (const auto& kernel : artefact.resources) architectures.push_back(kernel.architecture);
  EXPECT_THAT(architectures, testing::UnorderedElementsAre("sm_80", "sm_90"));
  EXPECT_FALSE(
      steps_->warm_up({"-gencode=arch=compute_80,code=sm_80", "-gencode=arch=compute_90,code=sm_90"}));
}

}  // namespace
}  // namespace ridgeline::languages
