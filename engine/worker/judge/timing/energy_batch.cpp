#include "engine/worker/judge/timing/energy_batch.hpp"

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <thread>

#include "profiler/process_clock.hpp"

namespace ridgeline::judge {
namespace {

constexpr int kLeastSteps = 10;
constexpr int kLeastIdleSteps = 5;
constexpr double kPatience = 3;     // seconds; a counter that moves every 0.1 s needs 1.2
constexpr double kLookEach = 1e-3;  // seconds, beside some milliseconds that a look takes

/// Looks until the counter has moved `steps` times after the first, or patience ends.
class Watch {
 public:
  Watch(const Backend& backend, int steps) : backend_(backend), thread_([this, steps] { look(steps); }) {}
  Watch(const Watch&) = delete;  // a thread holds its address
  Watch& operator=(const Watch&) = delete;
  ~Watch() { looks(); }

  bool over() const { return over_; }
  /// Once it is over, or to end it.
  std::vector<profiler::EnergyReading>& looks() {
    stop_ = true;
    if (thread_.joinable()) thread_.join();
    return looks_;
  }

 private:
  void look(int steps) {
    const double begin = profiler::wall_seconds();
    while (!stop_ && profiler::wall_seconds() - begin < kPatience) {
      const double before = profiler::wall_seconds();
      const auto joules = backend_.joules();
      if (!joules) break;
      looks_.push_back({(before + profiler::wall_seconds()) / 2, *joules, 0});
      if (profiler::steps_of(looks_) > steps) break;
      std::this_thread::sleep_for(std::chrono::duration<double>(kLookEach));
    }
    over_ = true;
  }

  const Backend& backend_;
  std::vector<profiler::EnergyReading> looks_;
  std::atomic<bool> stop_ = false, over_ = false;
  std::thread thread_;  // last: it begins at once
};

}  // namespace

EnergyOutcome energy_of_calls(BatchCaller& caller, const Backend& backend, std::size_t calls) {
  if (!backend.joules()) return {std::nullopt, "nothing here counts joules"};
  if (!caller.call(0, calls)) return {std::nullopt, "the calls ended"};  // before the first look: to warm
  std::vector<profiler::CallsDone> done{{profiler::wall_seconds(), 0}};
  Watch watch(backend, kLeastSteps);
  while (!watch.over()) {
    if (!caller.call(0, calls)) return {std::nullopt, "the calls ended"};
    done.push_back({profiler::wall_seconds(), done.back().calls + static_cast<double>(calls)});
  }
  auto& looks = watch.looks();
  profiler::count_calls(looks, done);
  EnergyOutcome outcome{profiler::energy_use(looks, kLeastSteps), {}};
  if (!outcome.use)
    outcome.why_not =
        fmt::format("the counter of joules moved {} times in {:.1f} s, and {} are needed",
                    profiler::steps_of(looks), done.back().seconds - done.front().seconds, kLeastSteps + 1);
  return outcome;
}

std::optional<double> idle_watts(const Backend& backend) {
  if (!backend.joules()) return std::nullopt;
  Watch watch(backend, kLeastIdleSteps);
  while (!watch.over()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const auto use = profiler::energy_use(watch.looks(), kLeastIdleSteps);
  return use ? std::optional(use->watts) : std::nullopt;
}

}  // namespace ridgeline::judge
