// Progress for people: a line for each event worth a line, and on a terminal a status line that is redrawn
// below them.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <string>

#include "engine/campaign/progress.hpp"
#include "engine/campaign/time_left.hpp"
#include "engine/core/terminal_text.hpp"

namespace ridgeline::campaign {

/// One thread: the campaign's.
class TerminalProgress final : public Progress {
 public:
  using Clock = std::function<double()>;  ///< seconds of a monotonic clock
  /// Borrows `out`, which must outlive this object and which `terminal` describes. Lines are wrapped to its
  /// columns. The status line is cut to them, and drawn only on a terminal. All trajectories together, also
  /// the finished ones, take at most `most_calls_and_evaluations` calls and evaluations (TimeLeft).
  TerminalProgress(std::FILE* out, const Terminal& terminal, std::int64_t most_calls_and_evaluations,
                   Clock clock);
  /// Clears the status line.
  ~TerminalProgress() override;

  void planned(int trajectories, int already_finished) override;
  void answered(const std::string& where, int round, const store::AskRecord& ask) override;
  void attempt_failed(const std::string& where, const store::FailedAttemptRecord& attempt) override;
  void endpoint(const llm::EndpointState& state) override;
  void evaluation_repeated(const std::string& where, const Verdict& verdict) override;
  void pausing(const std::string& reason) override;
  void evaluated(const std::string& where, int round, const Verdict& verdict) override;
  void ended(const std::string& where, store::TrajectoryState state, const std::string& detail) override;

 private:
  void line(const std::string& text);  ///< prints over the status line
  void redraw();                       ///< draws the status line again
  std::string status() const;

  std::FILE* out_;
  Terminal terminal_;
  std::int64_t most_calls_and_evaluations_;
  Clock clock_;
  double began_ = 0;
  TimeLeft left_;
  int trajectories_ = 0, finished_ = 0, calls_ = 0, evaluations_ = 0, correct_ = 0;
  int failed_attempts_ = 0;
  std::int64_t tokens_ = 0;
  double usd_ = 0;
  std::string last_failure_;                    // detail of the attempt that was printed last
  std::map<std::string, std::string> waiting_;  // text about each endpoint that is out, by host
};

/// Returns one clause: "correct, 1.42x", "correctness failed: wrong_values", …
std::string verdict_clause(const Verdict& verdict);

}  // namespace ridgeline::campaign
