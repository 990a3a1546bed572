#include "engine/worker/languages/ptxas_log.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "engine/worker/languages/library_facts.hpp"

namespace ridgeline::languages {
namespace {

// Written by nvcc 13.0.
const std::string kLog =
    "kernel.cu(2): warning #177-D: variable \"unused\" was declared but never referenced\n"
    "  __attribute__((global)) void k(float* x) { int unused; x[0] = 1; }\n"
    "                                                 ^\n"
    "\n"
    "ptxas info    : 0 bytes gmem, 16 bytes cmem[3]\n"
    "ptxas info    : Compiling entry function '_Z1tIfLi96EEvPT_' for 'sm_90'\n"
    "ptxas info    : Function properties for _Z1tIfLi96EEvPT_\n"
    "    640 bytes stack frame, 320 bytes spill stores, 328 bytes spill loads\n"
    "ptxas info    : Used 32 registers, used 0 barriers, 640 bytes cumulative stack size\n"
    "ptxas info    : Compile time = 79.718 ms\n"
    "ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized\n"
    "ptxas info    : Function properties for _Z4deepPfi\n"
    "    32 bytes stack frame, 32 bytes spill stores, 32 bytes spill loads\n"
    "ptxas info    : Compiling entry function 'softmax_rows' for 'sm_90'\n"
    "ptxas info    : Function properties for softmax_rows\n"
    "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
    "ptxas info    : Used 22 registers, used 1 barriers, 2048 bytes smem, 400 bytes cmem[0], 8 bytes "
    "cmem[2]\n"
    "ptxas info    : Compile time = 46.336 ms\n";

TEST(PtxasLog, FiguresOfEachKernel) {
  const auto log = parse_ptxas(kLog);
  ASSERT_EQ(log.kernels.size(), 2u);
  const auto& reduce = log.kernels[0];
  EXPECT_EQ(reduce.kernel, "t<float, 96>");
  EXPECT_EQ(reduce.architecture, "sm_90");
  EXPECT_EQ(reduce.registers, 32);
  EXPECT_EQ(reduce.stack, 640);
  EXPECT_EQ(reduce.spill_stores, 320) << "those of a function that was not inlined are not the kernel's";
  EXPECT_EQ(reduce.spill_loads, 328);
  EXPECT_TRUE(reduce.spills());
  const auto& softmax = log.kernels[1];
  EXPECT_EQ(softmax.kernel, "softmax_rows");
  EXPECT_EQ(softmax.registers, 22);
  EXPECT_EQ(softmax.barriers, 1);
  EXPECT_EQ(softmax.shared, 2048);
  EXPECT_EQ(softmax.constant, 408);
  EXPECT_FALSE(softmax.spills());
}

TEST(PtxasLog, TheRestKeepsWarningsAndAdvice) {
  const auto rest = parse_ptxas(kLog).rest;
  EXPECT_NE(rest.find("warning #177-D"), std::string::npos);
  EXPECT_NE(rest.find("(C7510)"), std::string::npos);
  EXPECT_EQ(rest.find("registers"), std::string::npos);
  EXPECT_EQ(rest.find("spill"), std::string::npos);
  EXPECT_EQ(rest.find("Compile time"), std::string::npos);
}

TEST(PtxasLog, IndentedLinesAreThoseOfTheCompilerUnlessPropertiesStandBefore) {
  const auto log = parse_ptxas("kernel.cu(1): error: x\n    8 bytes stack frame\nno end of line");
  EXPECT_TRUE(log.kernels.empty());
  EXPECT_EQ(log.rest, "kernel.cu(1): error: x\n    8 bytes stack frame\nno end of line\n");
  EXPECT_TRUE(parse_ptxas("").rest.empty());
}

TEST(LibraryFacts, ComeBackFromTheEndOfAFile) {
  std::string pattern = (std::filesystem::temp_directory_path() / "ridgeline-facts-XXXXXX").string();
  ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
  const auto file = std::filesystem::path(pattern) / "kernel.so";
  std::ofstream{file} << "ELF";
  EXPECT_TRUE(read_facts(file).empty());
  append_facts(file, parse_ptxas(kLog).kernels);
  const auto read = read_facts(file);
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(read[0].spill_loads, 328);
  EXPECT_EQ(read[1].kernel, "softmax_rows");
  std::ofstream{file} << "0000000000ffffff\nridgeline-facts-1\n";
  EXPECT_TRUE(read_facts(file).empty()) << "a length beyond the file";
  EXPECT_TRUE(read_facts(file.string() + "-absent").empty());
  std::filesystem::remove_all(pattern);
}

}  // namespace
}  // namespace ridgeline::languages
