#include "engine/campaign/terminal_progress.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace ridgeline::campaign {

std::string verdict_clause(const Verdict& verdict) {
  if (const auto stage = verdict.failed_at()) {
    const auto& result = verdict.at(*stage);
    return fmt::format("{} {}: {}", to_string(*stage), to_string(result.status), to_string(result.reason));
  }
  return fmt::format("correct, {:.2f}x", verdict.speedup());
}

TerminalProgress::TerminalProgress(std::FILE* out, const Terminal& terminal,
                                   std::int64_t most_calls_and_evaluations, Clock clock)
    : out_(out),
      terminal_(terminal),
      most_calls_and_evaluations_(most_calls_and_evaluations),
      clock_(std::move(clock)),
      began_(clock_()) {}

// Leaves an empty line, where the shell's prompt or an error comes next.
TerminalProgress::~TerminalProgress() {
  if (terminal_.columns > 0) std::fputs("\r\x1b[K", out_);
}

void TerminalProgress::planned(int trajectories, int already_finished) {
  trajectories_ = trajectories;
  finished_ = already_finished;
  const int left = trajectories - already_finished;
  left_ = TimeLeft(left, trajectories == 0 ? 0 : most_calls_and_evaluations_ * left / trajectories);
  line(fmt::format("{} trajectories, {} finished before", trajectories, already_finished));
}

void TerminalProgress::answered(const std::string& where, int round, const store::AskRecord& ask) {
  ++calls_;
  left_.stepped(where);
  tokens_ += ask.tokens.input + ask.tokens.output;
  usd_ += ask.usd;
  if (ask.status != AnswerStatus::kernel && ask.status != AnswerStatus::prose)
    line(fmt::format("{} round {}: {}{}{}", where, round, terminal_.bad(to_string(ask.status)),
                     ask.detail.empty() ? "" : ": ", ask.detail));
  redraw();
}

// Prints a line only if it says something new: an outage would fill the screen, and `endpoint` reports it.
void TerminalProgress::attempt_failed(const std::string& where, const store::FailedAttemptRecord& attempt) {
  ++failed_attempts_;
  tokens_ += attempt.tokens.input + attempt.tokens.output;
  usd_ += attempt.usd;
  if (std::exchange(last_failure_, attempt.detail) != attempt.detail)
    line(fmt::format("{}: {}: {}", where, terminal_.bad(attempt.llm_status), attempt.detail));
  redraw();
}

void TerminalProgress::endpoint(const llm::EndpointState& state) {
  if (!state.waiting) {
    if (waiting_.erase(state.host) > 0) line(fmt::format("{} answers again", state.host));
    return redraw();
  }
  const bool known = waiting_.contains(state.host);
  waiting_[state.host] =
      fmt::format("waiting for {} since {:%H:%M} ({})", state.host,
                  fmt::localtime(std::chrono::system_clock::to_time_t(state.since)), state.why);
  if (!known)
    line(fmt::format("{}; next try at {:%H:%M:%S}", waiting_[state.host],
                     fmt::localtime(std::chrono::system_clock::to_time_t(state.next_probe))));
  redraw();
}

void TerminalProgress::evaluation_repeated(const std::string& where, const Verdict& verdict) {
  line(fmt::format("{}: the machine failed ({}), to be evaluated again", where, verdict_clause(verdict)));
  redraw();
}

void TerminalProgress::pausing(const std::string& reason) {
  line(fmt::format("pausing: {}", reason));
  redraw();
}

void TerminalProgress::evaluated(const std::string& where, int round, const Verdict& verdict) {
  ++evaluations_;
  left_.stepped(where);
  if (verdict.correct()) ++correct_;
  const auto clause = verdict_clause(verdict);
  line(fmt::format("{} round {}: {}", where, round,
                   verdict.correct() ? terminal_.good(clause) : terminal_.bad(clause)));
  redraw();
}

void TerminalProgress::ended(const std::string& where, store::TrajectoryState state,
                             const std::string& detail) {
  ++finished_;
  left_.ended(where);
  if (state != store::TrajectoryState::finished)
    line(fmt::format("{} {}: {}", where, to_string(state), detail));
  redraw();
}

void TerminalProgress::line(const std::string& text) {
  const bool drawn = terminal_.columns > 0;
  // Back to the first column, and clear the status line.
  if (drawn) std::fputs("\r\x1b[K", out_);
  std::fprintf(out_, "%s\n", wrapped(text, terminal_.columns, "    ").c_str());
  std::fflush(out_);
}

// The most important first: what does not fit is cut off at the right.
std::string TerminalProgress::status() const {
  auto text = fmt::format("[{}/{}] {} correct of {}", finished_, trajectories_, correct_, evaluations_);
  if (const auto left = left_.text(clock_() - began_); !left.empty()) text += ", " + left;
  if (usd_ > 0) text += fmt::format(", {:.2f} USD", usd_);
  for (const auto& [host, waiting] : waiting_) text += ", " + waiting;
  text += fmt::format(", {} calls", calls_);
  if (failed_attempts_ > 0) text += fmt::format(" ({} attempts failed)", failed_attempts_);
  return text + fmt::format(", {} tokens", tokens_);
}

void TerminalProgress::redraw() {
  if (terminal_.columns == 0) return;
  // The last column stays free: a cursor behind it would begin a new line on some terminals.
  std::fprintf(
      out_, "\r\x1b[K%s",
      terminal_.busy(cut_to_columns(status(), std::max<std::size_t>(1, terminal_.columns - 1))).c_str());
  std::fflush(out_);
}

}  // namespace ridgeline::campaign
