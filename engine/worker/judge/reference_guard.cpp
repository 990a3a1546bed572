#include "engine/worker/judge/reference_guard.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <fstream>

#include "engine/verifier/reference_mark.hpp"
#include "profiler/cpu_info.hpp"
#include "profiler/process_clock.hpp"

namespace ridgeline::judge {
namespace {

// Limits of one call. A case takes some twenty calls before a candidate is judged, and a request has 600 s in
// all. A busy host or cold libraries stretch wall time and not CPU time; a device may let both wait.
constexpr double kMostSeconds = 10;
constexpr double kMostWallSeconds = 120;
constexpr double kMostHeld = 0.9;   // of the machine's memory
constexpr double kManyHeld = 0.25;  // share of it; a process that holds less did not fill the machine
constexpr double kLeastAvailable = 1.0 / 32;
constexpr auto kWhileIdle = std::chrono::milliseconds(250);    // rare enough not to disturb timed calls
constexpr auto kWhileRunning = std::chrono::milliseconds(20);  // a reference fills some 100 MB meanwhile

/// Bytes after `key` in a file of /proc whose lines are "key: N kB"; `otherwise` without it.
double bytes_in(const char* path, const std::string& key, double otherwise) {
  std::ifstream file(path);
  for (std::string word; file >> word;)
    if (double kilobytes = 0; word == key && file >> kilobytes) return kilobytes * 1024;
  return otherwise;
}

}  // namespace

std::optional<ReferencePatience::Breach> ReferencePatience::observe(const ReferenceObservation& now) {
  if (now.call != first_.call) first_ = now;
  if (now.call == 0) return std::nullopt;
  const double wall = now.wall - first_.wall, cpu = now.cpu - first_.cpu;
  if ((wall > kMostSeconds && cpu > kMostSeconds) || wall > kMostWallSeconds)
    return Breach{
        Reason::task_rejected,
        fmt::format(
            "the reference has not ended after {:.0f} s; see to it that its loops end, or give smaller sizes",
            wall)};
  const bool machine_full =
      now.held > kManyHeld * machine_bytes_ && now.available < kLeastAvailable * machine_bytes_;
  if (machine_full || now.held > kMostHeld * machine_bytes_)
    return Breach{
        Reason::memory_limit,
        fmt::format(
            "the reference took {:.1f} GB of this machine's {:.1f} GB and has not ended; see to it that "
            "its loops end, or give smaller sizes",
            now.held * 1e-9, machine_bytes_ * 1e-9)};
  return std::nullopt;
}

ReferenceGuard::ReferenceGuard(Answer answer) : answer_(std::move(answer)), thread_([this] { watch(); }) {}

ReferenceGuard::~ReferenceGuard() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  ended_.notify_one();
  thread_.join();
}

void ReferenceGuard::watch() {
  ReferencePatience patience(profiler::total_memory());
  std::uint64_t before = 0;
  std::unique_lock lock(mutex_);
  while (!ending_) {
    const auto call = verifier::marked_reference();
    const bool lasts = call != 0 && call == before;  // short calls are not worth reading /proc for
    before = call;
    ReferenceObservation now{.call = lasts ? call : 0};
    if (lasts) {
      now.wall = profiler::wall_seconds();
      now.cpu = profiler::process_cpu_seconds(::getpid()).value_or(now.wall);
      now.available = bytes_in("/proc/meminfo", "MemAvailable:", profiler::total_memory());
      now.held = bytes_in("/proc/self/status", "RssAnon:", 0);
    }
    if (const auto breach = patience.observe(now))
      verifier::hold_reference(
          call, [&](const std::string& task, const std::string& one_case) { end(*breach, task, one_case); });
    ended_.wait_for(lock, lasts ? kWhileRunning : kWhileIdle);
  }
}

void ReferenceGuard::end(const ReferencePatience::Breach& breach, const std::string& task,
                         const std::string& one_case) const {
  try {
    answer_(breach.reason, fmt::format("task '{}', case '{}': {}", task, one_case, breach.why));
  } catch (const std::exception&) {  // the agent is gone, so nobody needs the answer
  }
  ::_exit(0);
}

}  // namespace ridgeline::judge
