// Whether an endpoint may be asked now. Pure: fed with time points and random numbers.
//
//   closed    requests go. Three failures of the endpoint in a row open it; a total time-out, or a wait that
//             the server asks for, opens it at once.
//   open      none goes until the pause is over. Pauses double from `base` up to `longest`, drawn between
//             half of that and all of it, and are never shorter than what the server asks for.
//   probing   one request went to see. A success closes, a failure opens for the next pause.
//
// Answers take minutes, and the others need not wait for the probe's last word: once its answer has begun
// they go, on trial. The next failure then opens for the next pause, and from there on only whole answers
// count (an endpoint whose streams break off in the middle begins many answers and ends none).
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

  /// Seconds.
  struct Pauses {
    double base = 1;
    double longest = 900;
  };
  struct Trouble {
    bool at_once = false;          ///< opens without waiting for two more
    std::optional<double> wait_s;  ///< what the server asks for
  };

  /// Whether a request may go at `now`.
  Decision look(Time now) const;
  /// It goes, after `look` said so. Returns whether it is the probe: to be told with what becomes of it.
  bool take(Time now);

  /// The probe's answer has begun. Returns whether others may go because of it.
  bool began();
  /// An answer has come, whoever asked.
  void succeeded();
  /// `random` is uniform in [0, 1).
  void failed(Time now, bool probe, const Trouble& trouble, const Pauses& pauses, double random);
  /// The probe will bring nothing, good or bad.
  void abandoned();

  bool closed() const { return state_ == State::closed; }
  /// When the next probe may go; only where it is not closed.
  Time next_probe() const { return until_; }

 private:
  enum class State { closed, open, probing };

  void open(Time now, const Trouble& trouble, const Pauses& pauses, double random);

  State state_ = State::closed;
  int failures_ = 0;         ///< in a row, while closed
  int pauses_ = 0;           ///< since the last success
  bool on_trial_ = false;    ///< closed on the strength of an answer that has only begun
  bool only_whole_ = false;  ///< a trial failed: beginnings count no more
  Time until_{};
};

}  // namespace ridgeline::llm
