#include "engine/history/history_text.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "engine/export/line_diff.hpp"
#include "engine/history/figures.hpp"
#include "engine/history/verdict_line.hpp"
#include "engine/store/model_name.hpp"

namespace ridgeline::history {
namespace {

std::string short_hash(const Hash& hash) {
  return hash.substr(0, 12);
}

}  // namespace

std::string title_of(const store::TrajectoryRecord& trajectory) {
  return fmt::format("trajectory {}: {} on {} ({}), {}, seed {}: {}", trajectory.id, trajectory.strategy,
                     trajectory.task_name, to_string(trajectory.language), store::model_name(trajectory),
                     trajectory.seed, to_string(trajectory.state));
}

std::string asked_line(const store::AskRecord& ask) {
  auto text =
      fmt::format("{}  {}, {}", address_of(ask), ask.role, ask.model.empty() ? "?" : store::model_name(ask));
  if (ask.temperature) text += fmt::format(" at {}", *ask.temperature);
  text += fmt::format(", {} + {} tokens, {}", ask.tokens.input, ask.tokens.output, as_time(ask.seconds));
  if (ask.usd > 0) text += fmt::format(", {:.4f} USD", ask.usd);
  return text;
}

std::string answered_line(const store::AskRecord& ask) {
  auto text = fmt::format("answer: {}", to_string(ask.status));
  if (!ask.candidate.empty()) text += ' ' + short_hash(ask.candidate);
  if (!ask.detail.empty()) text += ": " + ask.detail;
  if (ask.diverged) text += " (replayed; its prompt was another one when it was recorded)";
  return text;
}

std::string judged_line(const store::EvaluationRecord& evaluation) {
  if (evaluation.status != EvaluationStatus::evaluated)
    return fmt::format("verdict: {}", to_string(evaluation.status));
  return fmt::format("verdict: {} [{}]", verdict_line(evaluation.verdict), as_time(evaluation.seconds));
}

std::string given_up_line(const store::AttemptRecord& attempt) {
  if (!attempt.cancelled || attempt.ask.status == AnswerStatus::cancelled) return "";
  return "cancelled before the strategy saw it: " + attempt.cancelled_because;
}

Change change_of(const store::AttemptRecord& attempt, const SourceOf& source_of) {
  if (!attempt.candidate) return {false, attempt.ask.critic ? attempt.ask.response_text : ""};
  const auto& now = attempt.candidate->source;
  const auto before = attempt.ask.change.empty() ? std::string() : source_of(attempt.ask.change);
  if (before.empty()) return {false, now};
  auto text = exporting::unified(exporting::diff_lines(before, now), short_hash(attempt.ask.change),
                                 short_hash(attempt.ask.candidate));
  return text.empty() ? Change{false, "(the same source)"} : Change{true, std::move(text)};
}

SourceOf sources_in(const store::Reader& reader) {
  return [&reader](const Hash& hash) {
    const auto candidate = reader.candidate(hash);
    return candidate ? candidate->source : std::string();
  };
}

std::string campaign_text(const store::CampaignRecord& campaign, const std::string& origin,
                          const std::vector<store::TrajectoryRecord>& trajectories,
                          const std::map<store::Id, store::Totals>& totals,
                          const std::map<store::Id, TrajectorySummary>& summaries, const Terminal& terminal) {
  std::vector<std::vector<std::string>> rows{{"trajectory", "task", "strategy", "model", "seed", "state",
                                              "calls", "evaluated", "not judged", "correct", "best"}};
  for (const auto& trajectory : trajectories) {
    const auto total = totals.find(trajectory.id);
    const auto at = summaries.find(trajectory.id);
    const auto summary = at == summaries.end() ? TrajectorySummary{} : at->second;
    rows.push_back({std::to_string(trajectory.id), trajectory.task_name, trajectory.strategy,
                    store::model_name(trajectory), std::to_string(trajectory.seed),
                    std::string(to_string(trajectory.state)),
                    std::to_string(total == totals.end() ? 0 : total->second.calls),
                    std::to_string(summary.evaluations), std::to_string(summary.not_judged),
                    std::to_string(summary.correct),
                    summary.speedup > 0 ? fmt::format("{:.2f}x", summary.speedup) : "-"});
  }
  const auto branch = origin.empty() ? std::string() : fmt::format(", a branch of {}", origin);
  auto text = fmt::format("campaign {}{}: {} trajectories\n", campaign.name, branch, trajectories.size());
  if (const auto incomplete = incomplete_line(trajectories); !incomplete.empty()) text += incomplete + '\n';
  return text + as_table(rows, terminal);
}

std::string trajectory_text(const store::TrajectoryRecord& trajectory,
                            const std::vector<store::AttemptRecord>& attempts, const SourceOf& source_of) {
  auto text = title_of(trajectory) + '\n';
  if (!trajectory.detail.empty()) text += trajectory.detail + '\n';
  int round = -1;
  for (const auto& attempt : attempts) {
    if (attempt.ask.round != round) text += fmt::format("\nround {}\n", round = attempt.ask.round);
    text += '\n' + asked_line(attempt.ask) + '\n' + indented(answered_line(attempt.ask), "  ");
    if (attempt.evaluation) {
      text += indented(judged_line(*attempt.evaluation), "  ");
      for (const auto& line : remark_lines(attempt.evaluation->verdict)) text += indented(line, "  ");
    }
    text += indented(given_up_line(attempt), "  ");
    text += indented(change_of(attempt, source_of).text, "  | ");
  }
  return text;
}

std::string address_of(const store::AskRecord& ask) {
  return fmt::format("{}.{}", ask.step, ask.slot);
}

std::string prompt_text(const store::AskRecord& ask) {
  std::string text;
  for (const auto& message : nlohmann::json::parse(ask.prompt))
    text += fmt::format("--- {}\n{}\n", message.value("role", "?"), message.value("content", ""));
  return text;
}

}  // namespace ridgeline::history
