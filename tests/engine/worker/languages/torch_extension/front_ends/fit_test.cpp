#include "engine/worker/languages/torch_extension/front_ends/fit.hpp"

#include <gtest/gtest.h>

#include "../request_sources.hpp"

namespace ridgeline::front_ends {
namespace {

using torch_extension::ExtensionFlags;
using torch_extension::ExtensionRequest;
using torch_extension::scale_request;

Fit main_with(std::vector<std::string> flags, const ExtensionRequest& request = scale_request()) {
  ExtensionFlags all;
  all.host = std::move(flags);
  return fit_of_main(request, all);
}

Fit cuda_with(std::vector<std::string> flags, const ExtensionRequest& request = scale_request()) {
  ExtensionFlags all;
  all.cuda = std::move(flags);
  return fit_of_cuda(request, all);
}

TEST(Fit, ARequestWithTorchsOwnFlagsFits) {
  EXPECT_EQ(main_with({}), Fit::fits);
  EXPECT_EQ(cuda_with({}), Fit::fits);
}

TEST(Fit, FlagsThatChangeNoDeclarationDo) {
  EXPECT_EQ(main_with({"-O3", "-g", "-Wno-unused", "-std=c++17"}), Fit::fits);
  EXPECT_EQ(cuda_with({"-O2", "-lineinfo", "--use_fast_math", "-maxrregcount=64", "-Xptxas=-O3"}), Fit::fits);
}

TEST(Fit, FlagsThatMayChangeOneDoNot) {
  for (const char* flag : {"-DX=1", "-std=c++14", "-march=native", "-fopenmp", "-Werror", "-Werror=unused",
                           "-ffast-math", "-Ofast", "-UNDEBUG"})
    EXPECT_EQ(main_with({flag}), Fit::flags) << flag;
  for (const char* flag :
       {"-DX", "-std=c++20", "-gencode=arch=compute_80,code=sm_80", "-arch=sm_90a", "-G", "-rdc=true",
        "-Xcompiler=-O3", "--expt-extended-lambda", "-Xcudafe=--diag_suppress=x"})
    EXPECT_EQ(cuda_with({flag}), Fit::flags) << flag;
}

TEST(Fit, ASourceThatAsksHowItIsOptimizedFitsOnlyWithoutThat) {
  auto request = scale_request();
  request.cpp_sources.front() += "\n#ifdef __OPTIMIZE__\nint fast;\n#endif\n";
  EXPECT_EQ(main_with({}, request), Fit::fits);
  EXPECT_EQ(main_with({"-O3"}, request), Fit::compilers_words);
  request.cpp_sources = {"#include <immintrin.h>"};
  EXPECT_EQ(main_with({"-O3"}, request), Fit::compilers_words);
  EXPECT_EQ(cuda_with({"-O3"}, request), Fit::fits) << "the CUDA source is another unit";
}

TEST(Fit, ASourceThatMayAskForFilesOfTheBuildDoesNot) {
  for (const char* line : {"#include \"main.cpp\"", "const char* here = __FILE__;", "# \tinclude HEADER",
                           "#include_next <vector>", "#if __has_include(\"cuda.cu\")\n#endif"}) {
    auto request = scale_request();
    request.cpp_sources.front() += std::string("\n") + line + "\n";
    EXPECT_EQ(main_with({}, request), Fit::own_files) << line;
    EXPECT_EQ(cuda_with({}, request), Fit::fits) << "the CUDA source is another unit";
  }
  auto request = scale_request();
  request.cpp_sources.front() += "\n#  include  <vector>\n// what we include here\nint include_count;\n";
  EXPECT_EQ(main_with({}, request), Fit::fits);
}

TEST(Fit, OtherFormsMayIncludeAnythingFirst) {
  auto request = scale_request();
  request.implicit_headers = false;
  EXPECT_EQ(main_with({}, request), Fit::other_form);
  EXPECT_EQ(cuda_with({}, request), Fit::other_form);
  request = scale_request();
  request.form = ExtensionRequest::Form::files;
  EXPECT_EQ(main_with({}, request), Fit::other_form);
}

TEST(Fit, WithoutACudaSourceThereIsNothingToCheck) {
  auto request = scale_request();
  request.cuda_sources.clear();
  EXPECT_EQ(cuda_with({"-DX"}, request), Fit::no_source);
}

TEST(Fit, TorchsHeaderComesFirst) {
  EXPECT_TRUE(begins_with_torch("#include <torch/extension.h>\n"));
  EXPECT_TRUE(
      begins_with_torch("\n// a kernel\n/* of\n two lines */ # include \"torch/extension.h\"\nint x;"));
  EXPECT_TRUE(begins_with_torch("#include <cuda.h>\r\n#include <vector>\n#include <torch/extension.h>"));
}

TEST(Fit, WhatMayChangeTorchsHeaderComesFirst) {
  for (const char* source :
       {"", "int x;\n#include <torch/extension.h>", "#define C10_CHECK\n#include <torch/extension.h>",
        "#include <cub/cub.cuh>\n#include <torch/extension.h>", "#include <cuda.h>\n", "/* no end",
        "#pragma once\n#include <torch/extension.h>", "#include HEADER\n#include <torch/extension.h>",
        "#include <cuda.h> /* goes on\n#include <torch/extension.h> */", "#include <torch/extension.h", "//"})
    EXPECT_FALSE(begins_with_torch(source)) << source;
}

TEST(Fit, ItsNamesStandInLogs) {
  EXPECT_EQ(to_string(Fit::headers_first), "headers_first");
  EXPECT_EQ(to_string(Fit::compilers_words), "compilers_words");
}

}  // namespace
}  // namespace ridgeline::front_ends
