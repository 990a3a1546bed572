// Where a kernel stands on the roofline, in words: figures, counters, launches, what ptxas said.
#include "prompts/roofline_digest.hpp"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string_view>
#include <utility>

#include "engine/core/counters.hpp"
#include "prompts/token_budget.hpp"
#include "tests/prompts/fixtures.hpp"

namespace ridgeline::prompts {
namespace {

using testing::correct_verdict;
using testing::holds;
using testing::plenty;
using testing::softmax_task;

TEST(RooflineDigest, SaysBoundDistanceAndNumbersWithTheirSource) {
  const auto text = roofline_digest(correct_verdict(), softmax_task(), plenty);
  for (const auto* part :
       {"`square`", "Memory-bound", "2.00 MB (counted from the task's definition)",
        "50 % of the memory bandwidth", "the least time is 200 µs", "llc_misses 31.2 k (perf)"})
    EXPECT_TRUE(holds(text, part)) << part << "\n" << text;
  EXPECT_FALSE(holds(text, "secretcase"));
  EXPECT_EQ(roofline_digest(Verdict{}, softmax_task(), plenty), "");
}

TEST(RooflineDigest, TheCaseWithMostToGainIsKeptLongest) {
  auto verdict = correct_verdict();
  verdict.rooflines = {verdict.rooflines[0], verdict.rooflines[0]};
  verdict.rooflines[1].case_name = "ragged";
  verdict.rooflines[1].headroom_seconds = 1;
  const auto text = roofline_digest(verdict, softmax_task(), 60);
  EXPECT_TRUE(holds(text, "`ragged`"));
  EXPECT_FALSE(holds(text, "`square`"));
}

/// Returns a verdict with counters and launches for all cases, the hidden one included. Its kernels are
/// "score" and "average".
Verdict counted_verdict() {
  auto verdict = correct_verdict();
  for (auto& one : verdict.rooflines) {
    one.counters.clear();
    for (const auto& [name, value] :
         std::initializer_list<std::pair<std::string_view, double>>{{counter::gpu_seconds, 140e-6},
                                                                    {counter::needed_bytes, 134e6},
                                                                    {counter::dram_read_bytes, 134e6},
                                                                    {counter::dram_write_bytes, 2.25e6},
                                                                    {counter::dram_share, 0.54},
                                                                    {counter::l2_bytes, 203e6},
                                                                    {counter::l2_write_bytes, 262e3},
                                                                    {counter::l1_bytes, 134e6},
                                                                    {counter::load_bytes_per_sector, 32},
                                                                    {counter::fp32_operations, 5e6},
                                                                    {counter::fp64_operations, 60e6},
                                                                    {counter::tensor_instructions, 0},
                                                                    {counter::achieved_occupancy, 0.95},
                                                                    {counter::stall_wait, 0.065},
                                                                    {counter::stall_long_scoreboard, 0.88},
                                                                    {counter::stall_barrier, 0.004},
                                                                    {counter::stall_not_selected, 0.2}})
      one.counters.push_back({std::string(name), value, Source::cupti});
    for (const auto& [kernel, seconds] : {std::pair{"score", 30e-6}, {"average", 50e-6}, {"score", 20e-6}}) {
      KernelLaunch launch;
      launch.case_name = one.case_name;
      launch.kernel = one.case_name == "square" ? kernel : "secretkernel";
      launch.grid = {4096, 1, 1};
      launch.block = {256, 1, 1};
      launch.registers = 64;
      launch.shared = 2048;
      launch.seconds = seconds;
      launch.dram_bytes = 40e6;
      launch.theoretical_occupancy = 0.5;
      launch.limit = OccupancyLimit::shared_memory;
      verdict.launches.push_back(launch);
    }
  }
  return verdict;
}

TEST(RooflineDigest, CountersStandInGroupsNextToTheDiagnosis) {
  const auto text = roofline_digest(counted_verdict(), softmax_task(), plenty);
  for (const auto* part :
       {"\n  DRAM: 134 MB read, 2.25 MB written, 134 MB needed in all, 54 % of its bandwidth.",
        "\n  L2: 203 MB moved, 262 kB of them stored.",
        "\n  L1: 134 MB moved, loads use 32 bytes of each 32-byte sector.",
        "\n  Arithmetic: 60.0 M operations in fp64, 5.00 M operations in fp32, tensor pipe not used.",
        "\n  Occupancy: 95 % of a multiprocessor's warps achieved, 50 % possible, limited by shared memory.",
        "\n  Stalls, of the warps' time: long scoreboard 88 %, wait 6.5 %.", "\n  GPU: 140 µs while it was",
        "\n  Kernel `score`: 50 % of the kernels' time, 2 launches, 4096 blocks of 256 threads, 50.0 µs, "
        "80.0 "
        "MB DRAM, 64 registers, 2 KiB shared memory.",
        "\n  Kernel `average`: 50 %"})
    EXPECT_TRUE(holds(text, part)) << part << "\n" << text;
  for (const auto* absent : {"cupti)", "secret", "not selected", "barrier", "No hardware counters"})
    EXPECT_FALSE(holds(text, absent)) << absent << "\n" << text;
}

TEST(RooflineDigest, TheDiagnosisIsKeptLongestThenWhatExplainsIt) {
  const auto all = roofline_digest(counted_verdict(), softmax_task(), plenty);
  const auto tokens = static_cast<int>(all.size() / 4);
  const auto shorter = roofline_digest(counted_verdict(), softmax_task(), tokens - 60);
  EXPECT_TRUE(holds(shorter, "Stalls") && holds(shorter, "DRAM:")) << shorter;
  EXPECT_FALSE(holds(shorter, "GPU:")) << shorter;
  const auto least = roofline_digest(counted_verdict(), softmax_task(), 70);
  EXPECT_TRUE(holds(least, "`square`")) << least;
  EXPECT_FALSE(holds(least, "Kernel")) << least;
  for (const int budget : {70, 120, tokens - 60})
    EXPECT_LE(estimate_tokens(roofline_digest(counted_verdict(), softmax_task(), budget)), budget);
}

TEST(RooflineDigest, SaysInALineWhyThereAreNoCounters) {
  auto verdict = correct_verdict();
  for (auto& one : verdict.rooflines) one.counters.clear();
  verdict.at(Stage::profile) = {Status::unavailable, Reason::counters_refused,
                                "analytic counts over the cold time stand in; the driver admits only root; "
                                "fix: set NVreg_RestrictProfilingToAdminUsers=0",
                                0};
  EXPECT_TRUE(holds(roofline_digest(verdict, softmax_task(), plenty),
                    "\nNo hardware counters: the driver admits only root."));
  verdict.at(Stage::profile).detail = "the driver admits only root; mend: stored by an older version";
  EXPECT_TRUE(holds(roofline_digest(verdict, softmax_task(), plenty),
                    "\nNo hardware counters: the driver admits only root."));
  verdict.at(Stage::profile) = {Status::passed, Reason::none, "secretcase: counters are set aside", 0};
  const auto text = roofline_digest(verdict, softmax_task(), plenty);
  EXPECT_TRUE(holds(text, "\nNo hardware counters were read.")) << text;
  EXPECT_FALSE(holds(text, "secretcase"));
}

TEST(RooflineDigest, ListsTheResourcesOfEachGpuKernelSpillingOnesFirst) {
  auto verdict = correct_verdict();
  const auto without = roofline_digest(verdict, softmax_task(), plenty);
  KernelResources rows, tall;
  rows.kernel = "softmax_rows";
  rows.architecture = "sm_90";
  rows.registers = 40;
  rows.shared = 2048;
  tall.kernel = "reduce<float, 4>";
  tall.registers = 255;
  tall.spill_stores = 320;
  tall.spill_loads = 328;
  tall.stack = 640;
  verdict.resources = {rows, tall, rows};
  const auto lines =
      "\n- kernel reduce<float, 4>: 255 registers, spills (a thread stores 320 bytes and loads 328 bytes), "
      "640 "
      "bytes stack a thread.\n- kernel softmax_rows: 40 registers, no spills, 2 KiB shared memory.";
  EXPECT_EQ(roofline_digest(verdict, softmax_task(), plenty), without + lines);
  verdict.rooflines.clear();
  EXPECT_TRUE(holds(roofline_digest(verdict, softmax_task(), plenty), "softmax_rows"));
}

}  // namespace
}  // namespace ridgeline::prompts
