// Decides whether a confined child has computed nothing for too long. Pure: the caller passes in what it
// measured. One thread.
#pragma once

#include <chrono>
#include <optional>

namespace ridgeline::sandbox {

class IdleWatch {
 public:
  using Clock = std::chrono::steady_clock;
  using Seconds = std::chrono::duration<double>;

  /// Stands for a child without an idle limit.
  IdleWatch() = default;
  /// `limit`: seconds without work; absent means unlimited. `interval`: seconds between two measurements, as
  /// planned. `sees_children` (process_tree.hpp): where it is false, a compiler's driver that waits for the
  /// compilers that it started looks idle, so no limit applies.
  IdleWatch(std::optional<double> limit, double interval, bool sees_children, Clock::time_point started);

  /// Takes the CPU seconds of the living processes of the child's tree at `now`. Any change is work, also a
  /// smaller number: a process that ends takes its seconds with it. Returns whether there was no work for
  /// longer than the limit. A gap of more than a second beyond `interval` between two calls counts as work:
  /// the worker itself was stopped, and perhaps the child with it.
  bool exceeded(Clock::time_point now, double cpu_seconds);

 private:
  std::optional<double> limit_;
  Seconds longest_gap_{};  // interval + 1 s; after a longer gap between measurements the idle time is 0 again
  double cpu_seconds_ = 0;
  Clock::time_point last_measurement_, last_work_;
};

}  // namespace ridgeline::sandbox
