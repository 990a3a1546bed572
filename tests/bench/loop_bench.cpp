// The `loop` figures: what the engine itself costs a round. Model and evaluator are instant; strategies,
// prompts of 8 KB, answers with sources of 4 KB, journal and a store on disk are the real ones.
//
//   bench-loop [FOLDER] [ROUNDS] [TRAJECTORIES]
//
// FOLDER must lie on the disk that is meant (default: the working folder); ROUNDS a trajectory (default: 10);
// TRAJECTORIES: only the first figure, of that many, without a child process: for a profiler. `bench-loop
// --short`: all figures of a few trajectories.
//
// A round is one ask and one evaluation, both committed. Each size runs in a process of its own on two cores,
// with all its trajectories under way at once (the smaller size three times: the median counts); time and
// memory count from the opening of the store to its closing.
#include <sched.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <vector>

#include "benchmark_tasks/suite.hpp"
#include "tests/bench/campaign_bed.hpp"
#include "tests/bench/instant_ports.hpp"
#include "tests/bench/short_form.hpp"

namespace ridgeline::bench {
namespace {

namespace fs = std::filesystem;
using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t source_bytes = 4096;

struct Figures {
  std::int64_t rounds = 0;
  double seconds = 0;
  double cpu_seconds = 0;  ///< of all threads, user and system: says how much of the time went to others
  double peak_mb = 0;
  double prompt_bytes = 0;  ///< mean
  double store_mb = 0;
  double rounds_per_second() const { return static_cast<double>(rounds) / seconds; }
};

/// With a source of 4 KB its refinements' prompts have 8 KB.
Task the_task() {
  const auto suite = benchmark_tasks::load_native(fs::path(RIDGELINE_SOURCE_DIR) / "benchmark_tasks");
  return on_backend(*suite.find("layer_norm"), "cpu");
}

campaign::CampaignConfig config_of(int trajectories, int rounds, const std::string& store) {
  campaign::CampaignConfig config;
  config.name = "loop";
  config.strategies = {
      {"chain", "iterative", {{"rounds", std::int64_t{rounds}}, {"feedback", std::string("g_e_p")}}}};
  config.models.resize(1);
  config.models[0].name = "instant";
  config.roles["generator"] = "instant";
  config.seeds.clear();
  for (int seed = 0; seed < trajectories; ++seed) config.seeds.push_back(static_cast<std::uint64_t>(seed));
  config.concurrency = trajectories;
  config.store = store;
  return config;
}

/// Returns the most memory that this process has held since it was forked, in MB.
double peak_mb() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    double kib = 0;
    if (word == "VmHWM:" && status >> kib) return kib * 1024e-6;
  }
  throw std::runtime_error("/proc/self/status does not say VmHWM");
}

double cpu_seconds() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
  };
  return seconds(used.ru_utime) + seconds(used.ru_stime);
}

Figures measure(const std::string& store, int trajectories, int rounds) {
  const auto config = config_of(trajectories, rounds, store);
  const auto plan = campaign::make_plan(config, {{the_task()}, {}});
  Figures figures;
  const auto start = SteadyClock::now();
  {
    CampaignBed bed(config, plan);
    InstantModel model(bed.io(), plan.tasks.front().name, source_bytes);
    InstantEvaluator evaluator(bed.io());
    bed.run(model, evaluator);
    figures.prompt_bytes = model.mean_prompt_bytes();
  }
  figures.seconds = std::chrono::duration<double>(SteadyClock::now() - start).count();
  figures.cpu_seconds = cpu_seconds();
  figures.peak_mb = peak_mb();
  figures.store_mb = static_cast<double>(fs::file_size(store)) * 1e-6;
  const auto opened = store::Store::open(store, store::OpenMode::read_only);
  figures.rounds = store::Reader(opened).totals(1).evaluations;
  if (figures.rounds != std::int64_t{trajectories} * rounds)
    throw std::runtime_error(fmt::format("{} rounds are in the store", figures.rounds));
  return figures;
}

/// Its path; removed with what lies beside it.
class StoreFile {
 public:
  explicit StoreFile(const fs::path& folder)
      : path_((folder / fmt::format("loop_bench.{}.db", getpid())).string()) {}
  ~StoreFile() {
    std::error_code ignored;
    for (const auto* suffix : {"", "-wal", "-shm", ".lock"}) fs::remove(path_ + suffix, ignored);
  }
  StoreFile(const StoreFile&) = delete;  // it would be removed twice
  StoreFile& operator=(const StoreFile&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

/// The parent starts no thread, so that it may fork.
Figures measure_in_child(const fs::path& folder, int trajectories, int rounds) {
  const StoreFile store(folder);
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
  const auto child = fork();
  if (child < 0) throw std::runtime_error("no fork");
  if (child == 0) {
    try {
      const auto figures = measure(store.path(), trajectories, rounds);
      _exit(write(ends[1], &figures, sizeof figures) == sizeof figures ? 0 : 3);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "bench-loop: %s\n", error.what());
    }
    _exit(3);
  }
  close(ends[1]);
  Figures figures;
  const bool told = read(ends[0], &figures, sizeof figures) == sizeof figures;
  close(ends[0]);
  waitpid(child, nullptr, 0);
  if (!told) throw std::runtime_error(fmt::format("{} trajectories did not end", trajectories));
  return figures;
}

/// By time: the short runs feel what else the machine does.
Figures median_of_three(const fs::path& folder, int trajectories, int rounds) {
  std::vector<Figures> runs;
  for (int i = 0; i < 3; ++i) runs.push_back(measure_in_child(folder, trajectories, rounds));
  std::ranges::sort(runs, {}, &Figures::seconds);
  return runs[1];
}

/// The figures are of two cores, however many there are.
void keep_to_two_cores() {
  cpu_set_t allowed, two;
  CPU_ZERO(&two);
  if (sched_getaffinity(0, sizeof allowed, &allowed) != 0) return;
  for (int cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&two) < 2; ++cpu)
    if (CPU_ISSET(cpu, &allowed)) CPU_SET(cpu, &two);
  sched_setaffinity(0, sizeof two, &two);
}

void print(const char* figure, double value, const char* unit, const char* goal, const std::string& more) {
  fmt::print(R"({{"figure":"{}","value":{:.1f},"unit":"{}","goal":"{}",{}}})"
             "\n",
             figure, value, unit, goal, more);
  std::fflush(stdout);
}

/// Every size: how many trajectories are few and many, or `only` as many.
int run(const std::string& folder, int rounds, int only, int fewer, int more) {
  keep_to_two_cores();
  double load = 0;
  getloadavg(&load, 1);
  const auto about = [&](const Figures& of, int trajectories) {
    return fmt::format(
        R"("trajectories":{},"rounds":{},"seconds":{:.2f},"cpu_seconds":{:.2f},"prompt_bytes":{:.0f},)"
        R"("source_bytes":{},"store_mb":{:.0f},"load_before":{:.1f})",
        trajectories, of.rounds, of.seconds, of.cpu_seconds, of.prompt_bytes, source_bytes, of.store_mb,
        load);
  };
  if (only > 0) {
    const StoreFile store(folder);
    const auto figures = measure(store.path(), only, rounds);
    print("loop", figures.rounds_per_second(), "rounds/s", ">= 1000", about(figures, only));
    return 0;
  }
  const auto few = median_of_three(folder, fewer, rounds);
  print("loop", few.rounds_per_second(), "rounds/s", ">= 1000", about(few, fewer));
  print("loop_memory", few.peak_mb, "MB", "< 200", about(few, fewer));
  const auto many = measure_in_child(folder, more, rounds);
  print("loop_at_10000", many.rounds_per_second(), "rounds/s", ">= 1000", about(many, more));
  print("loop_memory_growth", many.peak_mb / few.peak_mb, "x", "<= 10",
        fmt::format(R"("peak_mb":{:.0f},)", many.peak_mb) + about(many, more));
  print("loop_time_growth", many.seconds / few.seconds, "x", "<= 10", about(many, more));
  return 0;
}

}  // namespace
}  // namespace ridgeline::bench

int main(int argc, char** argv) {
  try {
    const bool brief = ridgeline::bench::take_short(argc, argv);
    const int rounds = brief ? 3 : 10;
    return ridgeline::bench::run(argc > 1 ? argv[1] : ".", argc > 2 ? std::atoi(argv[2]) : rounds,
                                 argc > 3 ? std::atoi(argv[3]) : 0, brief ? 20 : 1'000, brief ? 200 : 10'000);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench-loop: %s\n", error.what());
    return 3;
  }
}
