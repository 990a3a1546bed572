// The `store` figure: evaluation results a second, committed on disk, 100 raw samples each.
//
//   bench-store [FOLDER] [SECONDS]      FOLDER must lie on the disk that is meant (default: the working
//                                       folder)
//   bench-store --short                 half a second of it
//
// Prints one JSON line. A result is a whole verdict: five stages, two timed cases, six error quantiles, two
// rooflines with counters; at most 512 are on their way at once, as with that many evaluations in flight.
// `commit_p99_ms` is from record() to its acknowledgement on the writer's thread.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <mutex>
#include <string>
#include <vector>

#include "engine/core/statistics.hpp"
#include "engine/store/store.hpp"
#include "engine/store/writer.hpp"
#include "tests/bench/short_form.hpp"
#include "tests/engine/store/samples.hpp"

namespace ridgeline::store {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Counts what is under way.
class Window {
 public:
  explicit Window(int most) : most_(most) {}
  void enter() {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [this] { return under_way_ < most_; });
    ++under_way_;
  }
  void leave() {
    const std::lock_guard lock(mutex_);
    --under_way_;
    room_.notify_one();
  }

 private:
  int most_;
  int under_way_ = 0;
  std::mutex mutex_;
  std::condition_variable room_;
};

/// Records until `seconds` have passed; results a second.
double measure(Writer& writer, Id trajectory, const Verdict& verdict, double seconds) {
  Window window(512);
  std::atomic<bool> failed = false;
  const auto start = Clock::now();
  int recorded = 0;
  for (; seconds_since(start) < seconds; ++recorded) {
    window.enter();
    writer.record(samples::evaluation(trajectory, recorded, 0, verdict), [&](std::exception_ptr error) {
      if (error) failed = true;
      window.leave();
    });
  }
  writer.flush();
  if (failed) throw std::runtime_error("a record was refused");
  return recorded / seconds_since(start);
}

int run(const std::string& folder, double seconds) {
  const auto path =
      (std::filesystem::path(folder) / ("store_bench." + std::to_string(std::rand()) + ".db")).string();
  double per_second = 0;
  std::vector<double> groups;
  {
    auto store = Store::open(path, OpenMode::create_or_resume);
    auto last = Clock::now();
    Writer writer(store, [&](const std::function<void()>& work) {
      groups.push_back(seconds_since(last));
      last = Clock::now();
      work();
    });
    const auto task = samples::task();
    auto campaign = samples::campaign();
    std::vector trajectories{samples::trajectory(task)};
    writer.create(campaign, {task}, trajectories);
    const auto id = trajectories.front().id;
    const auto candidate = samples::candidate(1);
    writer.record(samples::ask(id, 0, 0, &candidate), candidate, {});
    const auto verdict = samples::correct_verdict(task.hash, candidate.hash, 1e-3, 100);
    writer.flush();
    groups.clear();
    per_second = measure(writer, id, verdict, seconds);
  }
  const auto bytes = std::filesystem::file_size(path);
  for (const auto* suffix : {"", "-wal", "-shm", ".lock"}) std::filesystem::remove(path + suffix);
  std::printf(
      "{\"figure\":\"store\",\"value\":%.0f,\"unit\":\"results/s\",\"goal\":\">= "
      "10000\",\"samples_each\":100,"
      "\"group_median_ms\":%.2f,\"group_p99_ms\":%.2f,\"file_mb\":%.1f}\n",
      per_second, median(groups) * 1e3, quantile(groups, 0.99) * 1e3, static_cast<double>(bytes) / 1e6);
  return 0;
}

}  // namespace
}  // namespace ridgeline::store

int main(int argc, char** argv) {
  try {
    const bool brief = ridgeline::bench::take_short(argc, argv);
    return ridgeline::store::run(argc > 1 ? argv[1] : ".", argc > 2 ? std::atof(argv[2]) : brief ? 0.5 : 5);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench-store: %s\n", error.what());
    return 3;
  }
}
