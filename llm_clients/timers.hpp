// The port through which clients see time, so that tests can turn the clock by hand.
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

/// `seconds` as the clocks count it; negative counts as 0, and a century stands for what is longer.
std::chrono::steady_clock::duration clock_seconds(double seconds);

class Timers {
 public:
  Timers() = default;
  Timers(const Timers&) = delete;  // waits in flight know it by address
  Timers& operator=(const Timers&) = delete;
  virtual ~Timers() = default;  ///< drops what waits in `at`, keeps what is posted

  virtual TimePoint now() const = 0;
  virtual WallTime wall() const = 0;
  /// Calls `run` on the io_context's thread when `time` has come, never from inside.
  virtual void at(TimePoint time, std::function<void()> run) = 0;
  /// Calls `run` as soon as the io_context gets to it, even when the Timers are gone by then.
  virtual void post(std::function<void()> run) = 0;
};

std::unique_ptr<Timers> make_timers(boost::asio::io_context& io);

}  // namespace ridgeline::llm
