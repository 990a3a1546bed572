// Honest CUDA kernels pass, unsuspected, every time: those of the native tasks, and those beside the
// misbehaving ones. RIDGELINE_REPEATS says how often each is judged (1); counters are read the first time.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

#include "benchmark_tasks/loader.hpp"
#include "engine/core/statistics.hpp"
#include "tests/engine/worker/judge/gpu_judge.hpp"
#include "tests/engine/worker/judge/testcase.hpp"
#include "tests/places.hpp"

namespace ridgeline::judge {
namespace {

namespace fs = std::filesystem;

struct Honest {
  std::string name;
  Task task;
  Candidate candidate;
};
void PrintTo(const Honest& honest, std::ostream* out) {
  *out << honest.name;
}

std::vector<Honest> native() {
  std::vector<Honest> all;
  for (const auto& entry : fs::recursive_directory_iterator(places::sources() / "benchmark_tasks")) {
    if (entry.path().extension() != ".yaml") continue;
    auto task = on_backend(benchmark_tasks::load_task(entry.path()), "cuda");
    const auto kernel = places::sources() / "tests/benchmark_tasks/kernels" / (task.name + ".cu");
    all.push_back({task.name, std::move(task), make_candidate(Language::cuda, read_text(kernel))});
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return all;
}

std::vector<Honest> honest_testcases() {
  std::vector<Honest> all;
  for (auto& testcase : testcases(Language::cuda))
    if (testcase.honest)
      all.push_back({testcase.name, std::move(testcase.task), std::move(testcase.candidate)});
  return all;
}

int repeats() {
  const char* const text = std::getenv("RIDGELINE_REPEATS");
  return text == nullptr ? 1 : std::max(1, std::atoi(text));
}

double spread(const std::vector<double>& values) {
  return quantile(values, 0.95) / quantile(values, 0.05);
}

class HonestOnGpu : public GpuJudge, public testing::WithParamInterface<Honest> {
 protected:
  static void build_chosen(const std::string& suite, const std::vector<Honest>& all) {
    std::vector<ToBuild> chosen;
    for (const auto& one : all)
      if (to_run(suite, one.name)) chosen.push_back({one.task, one.candidate});
    build_ahead(chosen);
  }

  static void expect_passes(const Honest& honest, const protocol::EvaluateSettings& settings = {}) {
    std::map<std::string, std::vector<double>> speedups, cold, baseline;  // of each case
    double seconds = 0;
    for (int i = 1; i <= repeats(); ++i) {
      auto this_time = settings;
      this_time.counters = settings.counters && i == 1;
      const auto verdict = judged(honest.task, honest.candidate, this_time);
      const auto which = honest.name + ", time " + std::to_string(i) + "\n" + shown(verdict);
      EXPECT_EQ(outcome_of(verdict), "passed") << which;
      EXPECT_TRUE(verdict.suspicions().empty()) << which;
      EXPECT_TRUE(verdict.final_failures.empty()) << which;
      EXPECT_GT(verdict.speedup(), 0) << which;
      EXPECT_FALSE(verdict.rooflines.empty()) << which;
      for (const auto& one : verdict.timing ? verdict.timing->cases : std::vector<CaseTiming>{}) {
        speedups[one.case_name].push_back(one.speedup);
        cold[one.case_name].push_back(one.cold.median);
        baseline[one.case_name].push_back(one.baseline_cold.median);
      }
      seconds += verdict.seconds;
    }
    std::printf("%s: %.2f s each\n", honest.name.c_str(), seconds / repeats());
    for (const auto& [name, values] : speedups)
      std::printf(
          "  %s: %zu of %d timed, %.1f us, speed-up %.3f, p95/p5 %.3f (of its times %.3f, its baselines "
          "%.3f)\n",
          name.c_str(), values.size(), repeats(), 1e6 * median(cold[name]), median(values), spread(values),
          spread(cold[name]), spread(baseline[name]));
  }
};

class NativeOnGpu : public HonestOnGpu {
 protected:
  static void SetUpTestSuite() {
    build_chosen("All/NativeOnGpu", native());
    GpuJudge::SetUpTestSuite();
  }
};

TEST_P(NativeOnGpu, PassesUnsuspected) {
  expect_passes(GetParam(), {.final_cases = true});
}

INSTANTIATE_TEST_SUITE_P(All, NativeOnGpu, testing::ValuesIn(native()),
                         [](const auto& instance) { return instance.param.name; });

class HonestTestcasesOnGpu : public HonestOnGpu {
 protected:
  static void SetUpTestSuite() {
    build_chosen("All/HonestTestcasesOnGpu", honest_testcases());
    GpuJudge::SetUpTestSuite();
  }
};

TEST_P(HonestTestcasesOnGpu, PassesUnsuspected) {
  expect_passes(GetParam());
}

INSTANTIATE_TEST_SUITE_P(All, HonestTestcasesOnGpu, testing::ValuesIn(honest_testcases()),
                         [](const auto& instance) { return instance.param.name; });

}  // namespace
}  // namespace ridgeline::judge
