// Selects prompts, each once, with all answers that were judged: for trainers that ask the model themselves,
// and for those that learn from a group of answers and their rewards.
#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "engine/export/formats.hpp"
#include "engine/export/row.hpp"
#include "engine/export/shapes.hpp"

namespace ridgeline::exporting {
namespace {

using nlohmann::json;

/// A prompt with its answers, whichever trajectories they come from.
struct PromptGroup {
  const ExportedTrajectory* trajectory;  ///< the first that asked it
  const store::AskRecord* ask;
  std::vector<GradedAnswer> answers;
};

/// The answer with its reward; nullopt if it has none, since the machine failed.
std::optional<GradedAnswer> graded(const store::AttemptRecord& attempt, const RewardFormula& formula) {
  if (!attempt.candidate) {
    Verdict nothing;  // no kernel does not build
    nothing.at(Stage::build) = {Status::failed, Reason::missing_entry_point, "", 0};
    return GradedAnswer{attempt.ask.response_text, "no_code", formula.of(nothing).value_or(0), 0};
  }
  if (!was_evaluated(attempt)) return std::nullopt;
  const auto& verdict = attempt.evaluation->verdict;
  const auto earned = formula.of(verdict);
  if (!earned) return std::nullopt;
  return GradedAnswer{attempt.ask.response_text, outcome(verdict), *earned, verdict.speedup()};
}

/// Whether a model was asked, and answered.
bool is_answered(const store::AttemptRecord& attempt) {
  const auto& ask = attempt.ask;
  return !ask.critic && ask.prompt != "[]" && !ask.response_text.empty() &&
         (ask.status == AnswerStatus::kernel || ask.status == AnswerStatus::no_code ||
          ask.status == AnswerStatus::diff_failed);
}

json about_group(const TaskTrajectories& task, const PromptGroup& group) {
  const auto& record = group.trajectory->record;
  json about = {{"task", record.task_name},
                {"category", record.category},
                {"language", to_string(record.language)},
                {"split", to_string(task.split)},
                {"turn", group.ask->change.empty() ? "first" : "refine"},
                {"answered", group.answers.size()},
                {"correct", 0},
                {"best_speedup", 0.0},
                {"best_reward", 0.0},
                {"mean_reward", 0.0}};
  double best_speedup = 0, best_reward = 0, sum = 0;
  for (const auto& answer : group.answers) {
    about["correct"] = about["correct"].get<int>() + (answer.outcome == "correct" ? 1 : 0);
    best_speedup = std::max(best_speedup, answer.speedup);
    best_reward = std::max(best_reward, answer.reward);
    sum += answer.reward;
  }
  about["best_speedup"] = best_speedup;
  about["best_reward"] = best_reward;
  about["mean_reward"] = sum / static_cast<double>(group.answers.size());
  return about;
}

}  // namespace

void write_prompts(const TaskTrajectories& task, LineWriter& lines) {
  std::vector<PromptGroup> groups;
  std::map<std::pair<Language, std::string>, std::size_t> index;
  for (const auto& trajectory : task.trajectories)
    for (const auto& attempt : trajectory.attempts) {
      if (trajectory.is_copy(attempt) || !is_answered(attempt)) continue;
      auto answer = graded(attempt, lines.reward());
      if (!answer) {
        lines.leave_out("not judged: the machine failed");
        continue;
      }
      if (!lines.options().include_flagged && attempt.candidate &&
          !attempt.evaluation->verdict.suspicions().empty()) {
        lines.leave_out("flagged");
        continue;
      }
      const auto [at, fresh] =
          index.try_emplace({trajectory.record.language, sha256(attempt.ask.prompt)}, groups.size());
      if (fresh) groups.push_back({&trajectory, &attempt.ask, {}});
      groups[at->second].answers.push_back(std::move(*answer));
    }
  for (const auto& group : groups) {
    const auto about = about_group(task, group);
    lines.add(about.at("turn").get<std::string>(),
              prompt_line(lines.options().format, messages_of(*group.ask), group.answers,
                          lines.report().lines, about));
  }
}

}  // namespace ridgeline::exporting
