#include "engine/worker/languages/torch_extension/extension_flags.hpp"

#include <gmock/gmock.h>

#include "request_sources.hpp"

namespace ridgeline::torch_extension {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::variant<ExtensionFlags, ForbiddenFlag> read(std::vector<std::string> host,
                                                 std::vector<std::string> cuda = {},
                                                 std::vector<std::string> link = {}) {
  auto request = scale_request();
  request.cflags = std::move(host);
  request.cuda_cflags = std::move(cuda);
  request.ldflags = std::move(link);
  return read_extension_flags(request);
}

ExtensionFlags allowed(const std::variant<ExtensionFlags, ForbiddenFlag>& result) {
  if (const auto* forbidden = std::get_if<ForbiddenFlag>(&result)) throw std::runtime_error(forbidden->flag);
  return std::get<ExtensionFlags>(result);
}

std::string forbidden(const std::variant<ExtensionFlags, ForbiddenFlag>& result) {
  const auto* bad = std::get_if<ForbiddenFlag>(&result);
  return bad ? bad->flag : "";
}

TEST(ExtensionFlags, KeepsTheFlagsThatAnswersName) {
  const auto flags =
      allowed(read({"", "-O3 -ffast-math", "-fPIC"},
                   {"-O3", "--use_fast_math", "--expt-relaxed-constexpr", "--ptxas-options=-v", "-Xcompiler",
                    "-O2,-fPIC", "--compiler-options", "'-fPIC'", "-lcublas", "-U__CUDA_NO_HALF_OPERATORS__",
                    "--maxrregcount=48", "-gencode", "arch=compute_90,code=sm_90"},
                   {"", "-lcublas", "-lc10", "-L/usr/local/cuda/lib64"}));
  EXPECT_THAT(flags.host, ElementsAre("-O3", "-ffast-math"));
  EXPECT_THAT(flags.cuda, ElementsAre("-O3", "--use_fast_math", "--expt-relaxed-constexpr", "-Xcompiler=-O2",
                                      "-U__CUDA_NO_HALF_OPERATORS__", "--maxrregcount=48",
                                      "-gencode=arch=compute_90,code=sm_90"));
  EXPECT_THAT(flags.libraries, ElementsAre("-lcublas"));
}

TEST(ExtensionFlags, OpenMPIsAFlagOfTheCompilersAndALibraryOfTheLinker) {
  const auto flags = allowed(read({"-fopenmp"}, {"-Xcompiler=-fopenmp"}, {"-fopenmp -lcublas"}));
  EXPECT_THAT(flags.host, ElementsAre("-fopenmp"));
  EXPECT_THAT(flags.cuda, ElementsAre("-Xcompiler=-fopenmp"));
  EXPECT_THAT(flags.libraries, ElementsAre("-lgomp", "-lcublas"));
}

TEST(ExtensionFlags, ForbidsWhatCouldReachOutOfTheBuild) {
  for (const char* flag : {"-fplugin=x.so", "-include/etc/passwd", "@file", "-wrapper,sh", "-specs=x",
                           "-I/root", "-B/tmp", "-Wl,-rpath,/tmp"})
    EXPECT_EQ(forbidden(read({flag})), flag);
  for (const char* flag : {"-Xcompiler=-fplugin=x.so", "-Xcompiler=-O2,@file", "-ccbin=/tmp/x",
                           "-Xlinker=-rpath", "--options-file=x", "-I/root", "-keep", "-dlto", "-odir=/",
                           "-x=c++", "-std=gnu++17", "$(id)", "-DX=`id`"})
    EXPECT_EQ(forbidden(read({}, {flag})), flag);
  for (const char* flag : {"-lsecret", "-Wl,-rpath=/tmp", "/root/x.o", "-L/root"})
    EXPECT_EQ(forbidden(read({}, {}, {flag})), flag);
}

TEST(ExtensionFlags, ReadsWhatNvccTakesAsItTakesIt) {
  const auto flags =
      allowed(read({"-x c++"}, {"-x cu", "-std=c++20", "-arch=sm_90a", "--maxrregcount 64", "-t 4",
                                "--threads=2", "-lineinfo", "-D", "TILE=64", "-rdc=true", "-m64",
                                "-I/usr/local/cuda/include", "--default-stream", "per-thread"}));
  EXPECT_THAT(flags.host, IsEmpty());
  EXPECT_THAT(flags.cuda, ElementsAre("-std=c++20", "-arch=sm_90a", "--maxrregcount=64", "-lineinfo",
                                      "-DTILE=64", "-rdc=true", "--default-stream=per-thread"));
  EXPECT_TRUE(flags.relocatable());
}

TEST(ExtensionFlags, ForbidsFlagsThatAreTooLongToRead) {
  for (const char* begin : {"-I/usr", "-D", "-Wno-", "-U", "-l", "-maxrregcount="}) {
    const auto flag = begin + std::string(200'000, '1');
    EXPECT_EQ(forbidden(read({flag})), flag) << begin;
    EXPECT_EQ(forbidden(read({}, {flag})), flag) << begin;
    EXPECT_EQ(forbidden(read({}, {"-Xcompiler=" + flag})), "-Xcompiler=" + flag) << begin;
    EXPECT_EQ(forbidden(read({}, {}, {flag})), flag) << begin;
  }
}

TEST(ExtensionFlags, SplitsWordsAsAShellDoes) {
  const auto flags =
      allowed(read({"'-O3' \"-DA=1\""}, {"-Xptxas \"-O3 -v\" -Xcompiler '-O2 -fopenmp' -D\\X=1"}));
  EXPECT_THAT(flags.host, ElementsAre("-O3", "-DA=1"));
  EXPECT_THAT(flags.cuda, ElementsAre("-Xptxas=-O3,-v", "-Xcompiler=-O2,-fopenmp", "-DX=1"));
}

TEST(ExtensionFlags, AValueMayStandInTheNextWord) {
  const auto flags = allowed(read({"-U", "NDEBUG", "-I", "/usr/local/cuda/include", "-O1"},
                                  {"-U", "__CUDA_NO_HALF_OPERATORS__", "-I /usr/include", "-l", "cublas"},
                                  {"-L", "/usr/local/cuda/lib64", "-l cublas"}));
  EXPECT_THAT(flags.host, ElementsAre("-UNDEBUG", "-O1"));
  EXPECT_THAT(flags.cuda, ElementsAre("-U__CUDA_NO_HALF_OPERATORS__"));
  EXPECT_THAT(flags.libraries, ElementsAre("-lcublas"));
  EXPECT_EQ(forbidden(read({"-I", "/root"})), "-I/root");
  EXPECT_EQ(forbidden(read({}, {}, {"-L"})), "-L");
}

TEST(ExtensionFlags, BehindXcompilerOnlyFlagsThatChangeSomethingReachTheHostsCompiler) {
  EXPECT_THAT(allowed(read({}, {"-Xcompiler=-v,-shared,-x=c++,-L/usr/lib,-lm,-Wall"})).cuda, IsEmpty());
  EXPECT_THAT(
      allowed(read({}, {"-Xcompiler=-v,-O2,-m64,-Wno-unused,-fPIC", "--compiler-options=-fopenmp"})).cuda,
      ElementsAre("-Xcompiler=-O2,-Wno-unused", "-Xcompiler=-fopenmp"));
  EXPECT_EQ(forbidden(read({}, {"-Xcompiler=-v,-fplugin=x.so"})), "-Xcompiler=-v,-fplugin=x.so");
}

TEST(ExtensionFlags, FlagsThatNvccItselfRefusesAreLeftOutWithANote) {
  const auto flags =
      allowed(read({"-fPIC"}, {"-fPIC", "-O3", "-Wall", "-Wno-unused-variable",
                               "-Wno-deprecated-declarations", "--Wno-deprecated-gpu-targets"}));
  EXPECT_THAT(flags.cuda, ElementsAre("-O3", "-Wno-deprecated-declarations", "--Wno-deprecated-gpu-targets"));
  EXPECT_EQ(note_of(flags), "left out -fPIC -Wall -Wno-unused-variable, which nvcc itself refuses");
  EXPECT_EQ(note_of(allowed(read({"-fPIC"}, {"-O3"}))), "");
}

TEST(ExtensionFlags, ForwardedFlagsReachTheHostsCompiler) {
  const auto flags =
      allowed(read({}, {"--forward-unknown-to-host-compiler", "-ffast-math", "-fPIC", "--use_fast_math",
                        "-Wno-unused-variable", "-Wno-deprecated-declarations"}));
  EXPECT_THAT(flags.cuda, ElementsAre("-Xcompiler=-ffast-math", "--use_fast_math",
                                      "-Xcompiler=-Wno-unused-variable", "-Wno-deprecated-declarations"));
  EXPECT_EQ(note_of(flags), "");
  EXPECT_EQ(forbidden(read({}, {"--forward-unknown-to-host-compiler", "-fplugin=x"})), "-fplugin=x");
  for (const char* own : {"-std=gnu++17", "-Ofast", "-x=c++"})
    EXPECT_EQ(forbidden(read({}, {"--forward-unknown-opts", own})), own) << "an option of nvcc's own";
}

TEST(ExtensionFlags, ARefusalNamesTheListAndTheRepair) {
  const auto result = read({}, {"-ffast-math"});
  EXPECT_EQ(std::get<ForbiddenFlag>(result).words(),
            "extra_cuda_cflags: the compiler flag -ffast-math is not allowed; nvcc knows no such flag: write "
            "--use_fast_math");
  EXPECT_EQ(std::get<ForbiddenFlag>(read({"-I/x"})).list, "extra_cflags");
  EXPECT_EQ(std::get<ForbiddenFlag>(read({}, {}, {"-lx"})).list, "extra_ldflags");
}

TEST(ExtensionFlags, NoneIsNone) {
  const auto flags = allowed(read({}));
  EXPECT_THAT(flags.host, IsEmpty());
  EXPECT_THAT(flags.cuda, IsEmpty());
  EXPECT_THAT(flags.libraries, IsEmpty());
}

}  // namespace
}  // namespace ridgeline::torch_extension
