#include "engine/campaign/terminal_progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

namespace ridgeline::campaign {

std::string in_short(const Verdict& verdict) {
  if (const auto stage = verdict.failed_at()) {
    const auto& result = verdict.at(*stage);
    return fmt::format("{} {}: {}", to_string(*stage), to_string(result.status), to_string(result.reason));
  }
  return fmt::format("correct, {:.2f}x", verdict.speedup());
}

TerminalProgress::TerminalProgress(std::FILE* out) : out_(out), terminal_(isatty(fileno(out)) == 1) {}

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

void TerminalProgress::evaluated(const std::string& where, int round, const Verdict& verdict) {
  ++evaluations_;
  if (verdict.correct()) ++correct_;
  auto& best = best_[where];
  best = std::max(best, verdict.speedup());
  line(fmt::format("{} round {}: {}", where, round, in_short(verdict)));
  redraw();
}

void TerminalProgress::ended(const std::string& where, store::TrajectoryState state,
                             const std::string& detail) {
  ++finished_;
  if (state != store::TrajectoryState::finished)
    line(fmt::format("{} {}: {}", where, to_string(state), detail));
  best_.erase(where);
  redraw();
}

void TerminalProgress::line(const std::string& text) {
  if (terminal_) std::fputs("\r\x1b[K", out_);
  std::fprintf(out_, "%s\n", text.c_str());
  std::fflush(out_);
}

void TerminalProgress::redraw() {
  if (!terminal_) return;
  const auto spent = usd_ > 0 ? fmt::format(", {:.2f} USD", usd_) : std::string();
  const auto status =
      fmt::format("\r\x1b[K[{}/{} trajectories] {} calls, {} evaluations, {} correct, {} tokens{}", finished_,
                  trajectories_, calls_, evaluations_, correct_, tokens_, spent);
  std::fputs(status.c_str(), out_);
  std::fflush(out_);
}

}  // namespace ridgeline::campaign
