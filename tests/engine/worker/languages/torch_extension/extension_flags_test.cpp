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
  EXPECT_THAT(flags.cuda,
              ElementsAre("-O3", "--use_fast_math", "--expt-relaxed-constexpr", "-Xcompiler=-O2,-fPIC",
                          "--compiler-options=-fPIC", "-U__CUDA_NO_HALF_OPERATORS__", "--maxrregcount=48",
                          "-gencode=arch=compute_90,code=sm_90"));
  EXPECT_THAT(flags.libraries, ElementsAre("-lcublas"));
}

TEST(ExtensionFlags, ForbidsWhatCouldReachOutOfTheBuild) {
  for (const char* flag : {"-fplugin=x.so", "-include/etc/passwd", "@file", "-wrapper,sh", "-specs=x",
                           "-I/root", "-B/tmp", "-Wl,-rpath,/tmp"})
    EXPECT_EQ(forbidden(read({flag})), flag);
  for (const char* flag : {"-Xcompiler=-fplugin=x.so", "-Xcompiler=-O2,@file", "-ccbin=/tmp/x",
                           "-Xlinker=-rpath", "--options-file=x", "-I/root", "-keep", "-rdc=true", "-odir=/"})
    EXPECT_EQ(forbidden(read({}, {flag})), flag);
  for (const char* flag : {"-lsecret", "-Wl,-rpath=/tmp", "/root/x.o", "-L/root"})
    EXPECT_EQ(forbidden(read({}, {}, {flag})), flag);
}

TEST(ExtensionFlags, NoneIsNone) {
  const auto flags = allowed(read({}));
  EXPECT_THAT(flags.host, IsEmpty());
  EXPECT_THAT(flags.cuda, IsEmpty());
  EXPECT_THAT(flags.libraries, IsEmpty());
}

}  // namespace
}  // namespace ridgeline::torch_extension
