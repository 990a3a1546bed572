// The port through which clients see time, so that tests can set the clock.
#pragma once

#include <chrono>
#include <functional>
#include <memory>

namespace boost::asio {
class io_context;
}

namespace ridgeline::llm {

using TimePoint = std::chrono::steady_clock::time_point;
using WallTime = std::chrono::system_clock::time_point;

/// Converts seconds to the clock's unit. Negative values become 0, values over a century become a century, so
/// that adding the result to a time point cannot overflow.
std::chrono::steady_clock::duration clock_seconds(double seconds);

class Timers {
 public:
  Timers() = default;
  Timers(const Timers&) = delete;  // pending waits hold a pointer to it
  Timers& operator=(const Timers&) = delete;
  virtual ~Timers() = default;  ///< drops the waits of `at`, keeps what is posted

  virtual TimePoint now() const = 0;  ///< steady; for waits and limits
  virtual WallTime wall() const = 0;  ///< the date; for records, and for dates in headers
  /// Calls `run` on the io_context's thread at `time` or soon after, never from inside `at`.
  virtual void at(TimePoint time, std::function<void()> run) = 0;
  /// Calls `run` on the io_context's thread as soon as possible, even if the Timers are destroyed before.
  virtual void post(std::function<void()> run) = 0;
};

/// `io` must outlive the timers.
std::unique_ptr<Timers> make_timers(boost::asio::io_context& io);

}  // namespace ridgeline::llm
