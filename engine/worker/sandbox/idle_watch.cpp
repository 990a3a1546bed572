#include "engine/worker/sandbox/idle_watch.hpp"

namespace ridgeline::sandbox {
namespace {

/// A busy machine delays a measurement by less than this. After a longer gap the worker itself was stopped
/// (Ctrl-Z, a paused virtual machine), and perhaps the child with it.
constexpr IdleWatch::Seconds kLateness{1.0};

}  // namespace

IdleWatch::IdleWatch(std::optional<double> limit, double interval, bool sees_children,
                     Clock::time_point started)
    : limit_(sees_children ? limit : std::nullopt),
      longest_gap_(Seconds{interval} + kLateness),
      last_measurement_(started),
      last_work_(started) {}

bool IdleWatch::exceeded(Clock::time_point now, double cpu_seconds) {
  // Processes end and take their seconds with them, so any change is a sign of work. Nobody knows whether the
  // child could have worked in a gap, so a gap does not count as idle.
  if (cpu_seconds != cpu_seconds_ || now - last_measurement_ > longest_gap_) last_work_ = now;
  cpu_seconds_ = cpu_seconds;
  last_measurement_ = now;
  return limit_ && Seconds{now - last_work_}.count() > *limit_;
}

}  // namespace ridgeline::sandbox
