#include "engine/campaign/terminal_progress.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

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

TerminalProgress::TerminalProgress(std::FILE* out) : out_(out), terminal_(isatty(fileno(out)) == 1) {}

// Leaves an empty line, where the shell's prompt or an error comes next.
TerminalProgress::~TerminalProgress() {
  if (terminal_) std::fputs("\r\x1b[K", out_);
}

void TerminalProgress::planned(int trajectories, int already_finished) {
  trajectories_ = trajectories;
  finished_ = already_finished;
  line(fmt::format("{} trajectories, {} finished before", trajectories, already_finished));
}

void TerminalProgress::answered(const std::string& where, int round, const store::AskRecord& ask) {
  ++calls_;
  tokens_ += ask.tokens.input + ask.tokens.output;
  usd_ += ask.usd;
  if (ask.status != AnswerStatus::kernel && ask.status != AnswerStatus::prose)
    line(fmt::format("{} round {}: {}{}{}", where, round, to_string(ask.status),
                     ask.detail.empty() ? "" : ": ", ask.detail));
  redraw();
}

// Prints a line only if it says something new: an outage would fill the screen, and `endpoint` reports it.
void TerminalProgress::attempt_failed(const std::string& where, const store::FailedAttemptRecord& attempt) {
  ++failed_attempts_;
  tokens_ += attempt.tokens.input + attempt.tokens.output;
  usd_ += attempt.usd;
  if (std::exchange(last_failure_, attempt.detail) != attempt.detail)
    line(fmt::format("{}: {}: {}", where, attempt.llm_status, attempt.detail));
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
  if (verdict.correct()) ++correct_;
  line(fmt::format("{} round {}: {}", where, round, verdict_clause(verdict)));
  redraw();
}

void TerminalProgress::ended(const std::string& where, store::TrajectoryState state,
                             const std::string& detail) {
  ++finished_;
  if (state != store::TrajectoryState::finished)
    line(fmt::format("{} {}: {}", where, to_string(state), detail));
  redraw();
}

void TerminalProgress::line(const std::string& text) {
  if (terminal_) std::fputs("\r\x1b[K", out_);  // back to the first column, and clear the status line
  std::fprintf(out_, "%s\n", text.c_str());
  std::fflush(out_);
}

void TerminalProgress::redraw() {
  if (!terminal_) return;
  const auto spent = usd_ > 0 ? fmt::format(", {:.2f} USD", usd_) : std::string();
  std::string waiting;
  for (const auto& [host, text] : waiting_) waiting += ", " + text;
  const auto failed =
      failed_attempts_ > 0 ? fmt::format(" ({} attempts failed)", failed_attempts_) : std::string();
  const auto status =
      fmt::format("\r\x1b[K[{}/{} trajectories] {} calls{}, {} evaluations, {} correct, {} tokens{}{}",
                  finished_, trajectories_, calls_, failed, evaluations_, correct_, tokens_, spent, waiting);
  std::fputs(status.c_str(), out_);
  std::fflush(out_);
}

}  // namespace ridgeline::campaign
