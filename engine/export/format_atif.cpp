// Writes trajectories in the Agent Trajectory Interchange Format, v1.7 (Harbor), one a line: each prompt as
// steps of system and user, each answer as a step of the agent with what the judge observed.
//
// A key that a step may not have is null there: `datasets` wants the same keys everywhere, and Harbor's
// models take null for absent. A branch's copied steps are marked as copied context.
#include <nlohmann/json.hpp>

#include "engine/core/version.hpp"
#include "engine/export/formats.hpp"
#include "engine/export/row.hpp"
#include "engine/store/model_name.hpp"

namespace ridgeline::exporting {
namespace {

using nlohmann::json;

json step_of(const char* source, const std::string& message, bool copied) {
  return {{"source", source},
          {"message", message},
          {"is_copied_context", copied},
          {"model_name", nullptr},
          {"reasoning_content", nullptr},
          {"metrics", nullptr},
          {"observation", nullptr},
          {"extra", nullptr}};
}

/// What the judge says of the attempt, as one line for the agent.
std::string observed(const Verdict& verdict) {
  if (!verdict.correct()) return failure_text(verdict);
  return verdict.speedup() > 0 ? "correct, speed-up " + json(verdict.speedup()).dump() : "correct";
}

json extra_of(const TaskTrajectories& task, const store::AttemptRecord& attempt,
              const RewardFormula& formula) {
  json extra = {{"role", attempt.ask.role},
                {"critic", attempt.ask.critic},
                {"round", attempt.ask.round},
                {"candidate", attempt.candidate ? attempt.candidate->hash : ""},
                {"outcome", ""},
                {"speedup", 0.0},
                {"reward", 0.0},
                {"flags", ""}};
  if (!is_judged(attempt)) return extra;
  const auto verdict = task.visible_verdict(attempt);
  extra["outcome"] = outcome(verdict);
  extra["speedup"] = verdict.speedup();
  extra["reward"] = formula.of(verdict).value_or(0);
  extra["flags"] = joined(verdict.suspicions());
  return extra;
}

json agent_step(const TaskTrajectories& task, const store::AttemptRecord& attempt, bool copied,
                const RewardFormula& formula) {
  const auto& ask = attempt.ask;
  auto step = step_of("agent", ask.response_text, copied);
  step["model_name"] = store::model_name(ask);
  if (!ask.reasoning.empty()) step["reasoning_content"] = ask.reasoning;
  step["metrics"] = {{"prompt_tokens", ask.tokens.input},
                     {"completion_tokens", ask.tokens.output},
                     {"cached_tokens", ask.tokens.cached},
                     {"cost_usd", ask.usd}};
  if (is_judged(attempt))
    step["observation"] = {
        {"results", json::array({{{"content", observed(task.visible_verdict(attempt))}}})}};
  step["extra"] = extra_of(task, attempt, formula);
  return step;
}

json steps_of(const TaskTrajectories& task, const ExportedTrajectory& trajectory,
              const RewardFormula& formula) {
  auto steps = json::array();
  std::string system;  // the last one said: each prompt repeats it
  for (const auto& attempt : trajectory.attempts) {
    if (attempt.ask.response_text.empty()) continue;
    const bool copied = trajectory.is_copy(attempt);
    for (const auto& message : messages_of(attempt.ask)) {
      const auto& text = message.at("content").get_ref<const std::string&>();
      const bool is_system = message.at("role") == "system";
      if (is_system && text == system) continue;
      if (is_system) system = text;
      steps.push_back(step_of(is_system ? "system" : "user", text, copied));
    }
    steps.push_back(agent_step(task, attempt, copied, formula));
  }
  for (std::size_t i = 0; i < steps.size(); ++i) steps[i]["step_id"] = i + 1;
  return steps;
}

json total_metrics(const ExportedTrajectory& trajectory, std::size_t steps) {
  store::TokenUsage tokens;
  double usd = 0;
  for (const auto& attempt : trajectory.attempts) {
    tokens.input += attempt.ask.tokens.input;
    tokens.output += attempt.ask.tokens.output;
    tokens.cached += attempt.ask.tokens.cached;
    usd += attempt.ask.usd;
  }
  return {{"total_prompt_tokens", tokens.input},
          {"total_completion_tokens", tokens.output},
          {"total_cached_tokens", tokens.cached},
          {"total_cost_usd", usd},
          {"total_steps", steps}};
}

bool has_flagged(const ExportedTrajectory& trajectory) {
  for (const auto& attempt : trajectory.attempts)
    if (is_judged(attempt) && !attempt.evaluation->verdict.suspicions().empty()) return true;
  return false;
}

}  // namespace

void write_atif(const TaskTrajectories& task, LineWriter& lines) {
  for (const auto& trajectory : task.trajectories) {
    if (trajectory.attempts.empty() || trajectory.is_copy(trajectory.attempts.back())) continue;
    if (!lines.options().include_flagged && has_flagged(trajectory)) {
      lines.leave_out("flagged");
      continue;
    }
    auto steps = steps_of(task, trajectory, lines.reward());
    if (steps.empty()) {
      lines.leave_out("no model answered");
      continue;
    }
    const auto& record = trajectory.record;
    const auto metrics = total_metrics(trajectory, steps.size());
    lines.add("trajectory", {{"schema_version", "ATIF-v1.7"},
                             {"session_id", trajectory.campaign.name + "/" + std::to_string(record.id)},
                             {"agent",
                              {{"name", "ridgeline/" + record.strategy},
                               {"version", version},
                               {"model_name", store::model_name(record)}}},
                             {"steps", std::move(steps)},
                             {"final_metrics", metrics},
                             {"extra", origin(trajectory, task.split)}});
  }
}

}  // namespace ridgeline::exporting
