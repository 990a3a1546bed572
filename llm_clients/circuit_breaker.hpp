// Decides whether a request may go to an endpoint now. Does no I/O; the caller passes time and random
// numbers.
//
//   closed    requests go. Three failures of the endpoint in a row open the breaker; a total time-out, or a
//             wait that the server asks for, opens it at once.
//   open      no request goes until the pause is over. Pauses double from `base` up to `longest`, are drawn
//             between half of that and all of it, and are never shorter than the server's own wait.
//   probing   one request went as a probe. A success closes, a failure opens for the next pause.
//
// Answers take minutes, and other requests need not wait for the end of the probe: once its answer has begun
// they go, on trial. The next failure then opens the breaker for the next pause, and from there on only
// complete answers close it (an endpoint whose streams break off begins many answers and ends none).
//
// A probe may end after the breaker has closed or opened again. Then it no longer counts as the probe: its
// failure counts like that of a request sent before.
#pragma once

#include <chrono>
#include <optional>
#include <variant>

namespace ridgeline::llm {

class CircuitBreaker {
 public:
  using Time = std::chrono::steady_clock::time_point;

  struct Go {};
  struct WaitUntil {
    Time time;
  };
  struct WaitForProbe {};
  using Decision = std::variant<Go, WaitUntil, WaitForProbe>;

  /// Names a probe by its number; `none` is a request that is no probe. Numbers are not used again.
  enum class Probe : int { none };

  /// Seconds.
  struct Pauses {
    double base = 1;
    double longest = 900;
  };
  struct FailureHints {
    bool opens_at_once = false;    ///< opens the breaker without waiting for two more failures
    std::optional<double> wait_s;  ///< seconds that the server asks clients to wait
  };

  /// Decides whether a request may go at `now`.
  Decision decide(Time now) const;
  /// Records that a request goes after `decide` said `Go`. Returns the probe's number, or `none` if the
  /// request is no probe; the caller passes that to `began`, `failed` or `abandoned`.
  Probe begin_request(Time now);

  /// Records that the probe's answer has begun. Returns whether other requests may go because of it.
  bool began(Probe probe);
  /// Records a complete answer to any request.
  void succeeded();
  /// Records a failure of the endpoint. `random` is uniform in [0, 1).
  void failed(Time now, Probe probe, const FailureHints& hints, const Pauses& pauses, double random);
  /// Records that the request was cancelled and will say nothing about the endpoint. Returns whether another
  /// one may be the probe because of it.
  bool abandoned(Probe probe);

  bool closed() const { return state_ == State::closed; }
  /// Returns when the next probe may go; meaningful only while not closed.
  Time next_probe() const { return until_; }

 private:
  enum class State { closed, open, probing };

  /// Whether this probe is the one that is awaited.
  bool awaited(Probe probe) const { return state_ == State::probing && probe == probe_; }
  void open(Time now, const FailureHints& hints, const Pauses& pauses, double random);

  State state_ = State::closed;
  Probe probe_ = Probe::none;  ///< the latest
  int failures_ = 0;           ///< in a row, while closed
  int pauses_ = 0;             ///< since the last success
  bool on_trial_ = false;      ///< closed because a probe's answer began, not because it ended
  bool only_whole_ = false;    ///< a trial failed: only a complete answer closes the breaker
  Time until_{};
};

}  // namespace ridgeline::llm
