// The `evaluate-cpu` figure: evaluations a second over all native tasks and all their cases, sustained, with
// build, verdict and timing included.
//
//   bench-evaluate_cpu [ROUNDS]
//   bench-evaluate_cpu --short      one round of three tasks
//
// Each round evaluates the honest kernel of every task once, as a source that was never seen before, through
// one warm worker; its programs must stand beside this one. The first round, in which tasks are prepared and
// baselines measured, is reported apart. Prints one JSON line.
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <optional>
#include <sstream>
#include <string>
#include <vector>

#include "benchmark_tasks/suite.hpp"
#include "engine/core/error.hpp"
#include "engine/core/statistics.hpp"
#include "engine/evaluation/launcher.hpp"
#include "engine/evaluation/process_link.hpp"
#include "engine/evaluation/worker_pool.hpp"
#include "tests/bench/short_form.hpp"

namespace ridgeline::evaluation {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::string honest_kernel(const std::string& task) {
  const std::filesystem::path path =
      std::filesystem::path(RIDGELINE_SOURCE_DIR) / "tests/benchmark_tasks/kernels" / (task + ".cpp");
  std::ifstream file(path);
  std::ostringstream text;
  if (!(text << file.rdbuf())) throw BadInput(path.string() + ": cannot be read");
  return std::move(text).str();
}

/// The same kernel as a source that no cache has seen: other bytes before the compiler, other code behind it.
std::string fresh_variant(const std::string& source, int round) {
  static const auto start = Clock::now().time_since_epoch().count();
  return source + "\nextern \"C\" const long ridgeline_bench_variant = " + std::to_string(start + round) +
         ";\n";
}

struct Round {
  double seconds = 0;
  int evaluations = 0;
  int correct = 0;
  std::map<std::string, double> stage_seconds;
  std::vector<double> each;  ///< seconds of a verdict
};

class Bench {
 public:
  /// Loads the suite's first `tasks` tasks and waits until the worker is ready.
  explicit Bench(std::size_t tasks)
      : suite_(benchmark_tasks::load_native(std::filesystem::path(RIDGELINE_SOURCE_DIR) / "benchmark_tasks")),
        pool_(io_, {.workers = 1, .requirements = {{"cpp"}, "none"}, .dispatch = {}},
              process_links(io_, worker_command({})),
              [](const std::string& line) { std::cerr << line << '\n'; }) {
    if (tasks < suite_.tasks.size()) suite_.tasks.erase(suite_.tasks.begin() + tasks, suite_.tasks.end());
    for (auto& task : suite_.tasks) task = on_backend(std::move(task), "cpu");
    std::optional<std::exception_ptr> problem;
    pool_.start([&](std::exception_ptr told) { problem = std::move(told); });
    while (!problem) io_.run_one();
    if (*problem) std::rethrow_exception(*problem);
  }

  Round round(int number) {
    Round round;
    const auto start = Clock::now();
    std::size_t left = suite_.tasks.size();
    for (const auto& task : suite_.tasks) {
      const auto candidate = make_candidate(Language::cpp, fresh_variant(honest_kernel(task.name), number));
      pool_.evaluate({evaluation::borrowed(task), candidate, {}}, [&](const Verdict& verdict) {
        --left;
        ++round.evaluations;
        if (verdict.correct())
          ++round.correct;
        else
          std::cerr << task.name << " was not judged correct\n";
        for (const auto stage :
             {Stage::build, Stage::call, Stage::correctness, Stage::timing, Stage::profile})
          round.stage_seconds[std::string(to_string(stage))] += verdict.at(stage).seconds;
        round.each.push_back(verdict.seconds);
      });
    }
    while (left > 0) io_.run_one();
    round.seconds = seconds_since(start);
    return round;
  }

 private:
  boost::asio::io_context io_;
  benchmark_tasks::Suite suite_;
  WorkerPool pool_;
};

int run(int rounds, std::size_t tasks) {
  Bench bench(tasks);
  const auto first = bench.round(0);
  Round sum;
  for (int i = 1; i <= rounds; ++i) {
    const auto one = bench.round(i);
    sum.seconds += one.seconds;
    sum.evaluations += one.evaluations;
    sum.correct += one.correct;
    sum.each.insert(sum.each.end(), one.each.begin(), one.each.end());
    for (const auto& [stage, seconds] : one.stage_seconds) sum.stage_seconds[stage] += seconds;
  }
  std::string stages;
  for (const auto& [stage, seconds] : sum.stage_seconds) {
    char text[64];
    std::snprintf(text, sizeof text, "%s\"%s\":%.3f", stages.empty() ? "" : ",", stage.c_str(),
                  seconds / sum.evaluations);
    stages += text;
  }
  std::printf(
      "{\"figure\":\"evaluate-cpu\",\"value\":%.2f,\"unit\":\"evaluations/s\",\"goal\":\">= 2\","
      "\"evaluations\":%d,\"correct\":%d,\"first_round_per_s\":%.2f,\"verdict_median_s\":%.3f,"
      "\"mean_stage_s\":{%s}}\n",
      sum.evaluations / sum.seconds, sum.evaluations, sum.correct, first.evaluations / first.seconds,
      median(sum.each), stages.c_str());
  return sum.correct == sum.evaluations ? 0 : 1;
}

}  // namespace
}  // namespace ridgeline::evaluation

int main(int argc, char** argv) {
  try {
    const bool brief = ridgeline::bench::take_short(argc, argv);
    return ridgeline::evaluation::run(argc > 1 ? std::atoi(argv[1]) : brief ? 1 : 3, brief ? 3 : SIZE_MAX);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench-evaluate_cpu: %s\n", error.what());
    return 3;
  }
}
