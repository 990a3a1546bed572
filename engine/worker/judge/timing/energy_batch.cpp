#include "engine/worker/judge/timing/energy_batch.hpp"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "profiler/process_clock.hpp"

namespace ridgeline::judge {
namespace {

constexpr int kLeastSteps = 10;  // movements of the counter: an error of one at either end is then 10 %
constexpr int kLeastIdleSteps = 5;
constexpr double kPatience = 3;         // seconds; a counter that moves every 0.1 s needs 1.2
constexpr double kReadInterval = 1e-3;  // seconds between readings, which take some milliseconds themselves

/// Reads the counter on a thread of its own until it has moved `steps` times after the first, or patience
/// ends.
class EnergyReader {
 public:
  EnergyReader(const Telemetry& telemetry, int steps)
      : telemetry_(telemetry), thread_([this, steps] { read(steps); }) {}
  EnergyReader(const EnergyReader&) = delete;  // a thread holds its address
  EnergyReader& operator=(const EnergyReader&) = delete;
  ~EnergyReader() { readings(); }

  bool over() const { return over_; }
  /// Ends the thread, and returns what it read.
  std::vector<profiler::EnergyReading>& readings() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
    return readings_;
  }

 private:
  void read(int steps) {
    const double begin = profiler::wall_seconds();
    while (!stop_ && profiler::wall_seconds() - begin < kPatience) {
      const double before = profiler::wall_seconds();
      const auto joules = telemetry_.joules();
      if (!joules) break;
      readings_.push_back({(before + profiler::wall_seconds()) / 2, *joules, 0});
      if (profiler::steps_of(readings_) > steps) break;
      std::this_thread::sleep_for(std::chrono::duration<double>(kReadInterval));
    }
    over_ = true;
  }

  const Telemetry& telemetry_;
  std::vector<profiler::EnergyReading> readings_;
  std::atomic<bool> stop_ = false, over_ = false;
  std::thread thread_;  // last: it uses the members above at once
};

}  // namespace

EnergyOutcome energy_of_calls(BatchCaller& caller, const Telemetry& telemetry, std::size_t calls) {
  if (!telemetry.joules()) return {std::nullopt, "nothing here counts joules"};
  if (!caller.call(0, calls)) return {std::nullopt, "the calls ended"};  // warms up, before the first reading
  std::vector<profiler::CallsDone> done{{profiler::wall_seconds(), 0}};
  EnergyReader reader(telemetry, kLeastSteps);
  while (!reader.over()) {
    if (!caller.call(0, calls)) return {std::nullopt, "the calls ended"};
    done.push_back({profiler::wall_seconds(), done.back().calls + static_cast<double>(calls)});
  }
  auto& readings = reader.readings();
  profiler::count_calls(readings, done);
  EnergyOutcome outcome{profiler::energy_use(readings, kLeastSteps), {}};
  if (!outcome.use)
    outcome.why_not = fmt::format("the counter of joules moved {} times in {:.1f} s, and {} are needed",
                                  profiler::steps_of(readings), done.back().seconds - done.front().seconds,
                                  kLeastSteps + 1);
  return outcome;
}

std::optional<double> idle_watts(const Telemetry& telemetry) {
  if (!telemetry.joules()) return std::nullopt;
  EnergyReader reader(telemetry, kLeastIdleSteps);
  while (!reader.over()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const auto use = profiler::energy_use(reader.readings(), kLeastIdleSteps);
  return use ? std::optional(use->watts) : std::nullopt;
}

}  // namespace ridgeline::judge
