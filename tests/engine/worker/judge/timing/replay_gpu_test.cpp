// Hot calls replayed as a graph on a GPU give a figure or the reason why not, and never a worse verdict.
#include <gtest/gtest.h>

#include <algorithm>

#include "benchmark_tasks/loader.hpp"
#include "tests/engine/worker/judge/gpu_judge.hpp"
#include "tests/engine/worker/judge/testcase.hpp"
#include "tests/places.hpp"

namespace ridgeline::judge {
namespace {

class ReplayOnGpu : public GpuJudge {
 protected:
  /// relu, with `from` in its source replaced by `to`.
  static Verdict judged_relu(const std::string& from, const std::string& to,
                             const protocol::EvaluateSettings& settings = {}) {
    const auto task = on_backend(
        benchmark_tasks::load_task(places::sources() / "benchmark_tasks/Activation/relu.yaml"), "cuda");
    auto source = read_text(places::sources() / "tests/benchmark_tasks/kernels/relu.cu");
    if (!from.empty()) source.replace(source.find(from), from.size(), to);
    return judged(task, make_candidate(Language::cuda, source), settings);
  }

  static const CaseTiming& cached_case(const Verdict& verdict) {
    return *std::find_if(verdict.timing->cases.begin(), verdict.timing->cases.end(),
                         [](const auto& one) { return one.case_name == "gpu_cached"; });
  }

  static void expect_launched_only(const Verdict& verdict) {
    ASSERT_EQ(outcome_of(verdict), "passed") << shown(verdict);
    EXPECT_TRUE(verdict.flags.empty());
    EXPECT_GT(cached_case(verdict).hot.median, 0);
    EXPECT_EQ(cached_case(verdict).replayed.median, 0);
    EXPECT_TRUE(tells_why_not(verdict)) << shown(verdict);
  }

  static bool tells_why_not(const Verdict& verdict) {
    return std::any_of(verdict.notes.begin(), verdict.notes.end(), [](const auto& note) {
      return note.starts_with("its calls could not be replayed as a graph: ");
    });
  }
};

TEST_F(ReplayOnGpu, HotCallsAreReplayed) {
  const auto verdict = judged_relu("", "");
  ASSERT_EQ(outcome_of(verdict), "passed") << shown(verdict);
  EXPECT_GT(cached_case(verdict).replayed.median, 0) << shown(verdict);
  EXPECT_FALSE(tells_why_not(verdict)) << shown(verdict);
  EXPECT_EQ(verdict.timing->cases.front().replayed.median, 0) << "no cache holds 128 MB";
}

TEST_F(ReplayOnGpu, CallsOnTheDefaultStreamAreNotReplayed) {
  expect_launched_only(judged_relu("(cudaStream_t)stream", "0"));
}

TEST_F(ReplayOnGpu, CallsOnAStreamOfTheCandidatesOwnAreNotReplayed) {
  expect_launched_only(judged_relu("rectify<<<blocks, 256, 0, (cudaStream_t)stream>>>(x, y, N);",
                                   R"(static cudaStream_t own = nullptr;
  if (!own) cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
  cudaStreamSynchronize((cudaStream_t)stream);
  rectify<<<blocks, 256, 0, own>>>(x, y, N);
  cudaStreamSynchronize(own);)"));
}

TEST_F(ReplayOnGpu, ACandidateThatEndsWhenCapturedKeepsItsVerdict) {
  expect_launched_only(
      judged_relu("if (N < 1) return;",
                  "void* scratch; if (cudaMalloc(&scratch, 64) != cudaSuccess) __builtin_trap();\n"
                  "cudaFree(scratch);"));
}

TEST_F(ReplayOnGpu, EnergyIsMeasuredIfItIsAskedFor) {
  EXPECT_EQ(cached_case(judged_relu("", "")).energy, 0);
  const auto verdict = judged_relu("", "", {.energy = true});
  const auto& cached = cached_case(verdict);
  if (cached.energy == 0) {
    EXPECT_TRUE(std::any_of(verdict.notes.begin(), verdict.notes.end(), [](const auto& note) {
      return note.find("no energy: ") != std::string::npos;
    })) << shown(verdict);
    return;
  }
  EXPECT_GT(cached.energy_above_idle, 0);
  EXPECT_LT(cached.energy_above_idle, cached.energy);
}

}  // namespace
}  // namespace ridgeline::judge
