// Decides whether a confined child has computed nothing for too long. Pure: it is fed what each measurement
// saw.
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

  /// Takes the CPU seconds of the child's tree as they are at `now`. Returns whether the limit is passed.
  bool exceeded(Clock::time_point now, double cpu_seconds);

 private:
  std::optional<double> limit_;
  Seconds longest_gap_{};  // between two measurements of a worker that was not itself stopped
  double cpu_seconds_ = 0;
  Clock::time_point last_measurement_, last_work_;
};

}  // namespace ridgeline::sandbox
