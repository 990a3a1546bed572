#include "engine/campaign/branch.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline::campaign {
namespace {

// A replay runs the real Trajectory against these: whatever the journal does not answer stands still.

class SilentModel final : public llm::LlmClient {
 public:
  void complete(llm::LlmRequest, llm::Completion) override {}
};

class NoCoordination final : public Coordinator {
 public:
  bool pausing() const override { return false; }
  void pause(Pause) override {}
  void when_budget_settles(std::function<void()>) override {}
  void settled() override {}
};

class SilentEvaluator final : public evaluation::Evaluator {
 public:
  void evaluate(evaluation::EvaluateRequest, std::function<void(Verdict)>) override {}
};

int steps_in(const std::vector<store::JournalEntry>& journal) {
  int steps = 0;
  for (const auto& entry : journal) {
    const auto* ask = std::get_if<store::AskEntry>(&entry);
    const int step = ask ? ask->record.step : std::get<store::EvaluationRecord>(entry).step;
    steps = std::max(steps, step + 1);
  }
  return steps;
}

/// Returns the first step at which a trajectory's own budget refused something; nullopt if it never did.
/// Under another budget this step must be made anew, although its request is the same.
std::optional<int> first_refusal(const std::vector<store::JournalEntry>& journal) {
  for (const auto& entry : journal) {
    if (const auto* ask = std::get_if<store::AskEntry>(&entry)) {
      if (ask->record.status == AnswerStatus::budget_exhausted) return ask->record.step;
    } else if (const auto& evaluation = std::get<store::EvaluationRecord>(entry);
               evaluation.status == EvaluationStatus::budget_exhausted) {
      return evaluation.step;
    }
  }
  return std::nullopt;
}

bool budgets_differ(const store::TrajectoryRecord& before, const store::TrajectoryRecord& now) {
  return std::ranges::any_of(differences(before.identity, now.identity),
                             [](const Difference& setting) { return setting.path.starts_with("budget."); });
}

/// Finds the record at the same place of the plan. An old store may hold several, made under different
/// settings: prefers the one with the same identity, then the newest.
const store::TrajectoryRecord* recorded_trajectory_for(const store::TrajectoryRecord& planned,
                                                       const std::vector<store::TrajectoryRecord>& recorded) {
  const store::TrajectoryRecord* match = nullptr;
  for (const auto& candidate : recorded) {
    if (!at_same_place(candidate, planned)) continue;
    match = &candidate;
    if (has_same_identity(candidate, planned)) break;
  }
  return match;
}

std::string free_name(const std::string& name, const store::Reader& reader) {
  for (int number = 2;; ++number) {
    auto candidate = fmt::format("{}.{}", name, number);
    if (!reader.campaign(candidate)) return candidate;
  }
}

}  // namespace

ReplayFit replay_fit(const Services& services, const store::TrajectoryRecord& trajectory,
                     std::shared_ptr<const Task> task, const strategies::StrategyFunction& strategy,
                     RecordedTrajectory recorded, std::optional<int> most_kept) {
  // A budget could refuse a recorded call again and the replay would then write that refusal. Without caps it
  // never does.
  auto unbounded = services.config;
  unbounded.per_trajectory = {};
  BudgetMeter no_bounds{Budget{}};
  SilentModel model;
  SilentEvaluator evaluator;
  Progress silent;
  NoCoordination alone;
  JudgeHealth judge;
  Services replaying{unbounded,
                     services.templates,
                     services.machine,
                     [&](const std::string&) -> llm::LlmClient& { return model; },
                     evaluator,
                     services.conditions,
                     services.writer,
                     no_bounds,
                     silent,
                     services.now,
                     services.wall_seconds,
                     services.after,
                     services.knowledge};
  ReplayFit fit;
  fit.recorded_steps = steps_in(recorded.journal);
  fit.recorded_events = static_cast<int>(recorded.events.size());
  Trajectory replayed(replaying, alone, judge, trajectory, std::move(task), strategy, std::move(recorded));
  std::exception_ptr problem;
  replayed.replay([&](std::exception_ptr error) { problem = error; });
  fit.kept_steps = std::min({fit.recorded_steps, replayed.first_unmatched_step().value_or(fit.recorded_steps),
                             most_kept.value_or(fit.recorded_steps)});
  try {
    if (problem) std::rethrow_exception(problem);
  } catch (const JournalDiverged& diverged) {
    // Divergence is what a branch is for. Anything else (a template that cannot be rendered) goes on up.
    fit.kept_steps = std::min(fit.kept_steps, diverged.step());
  }
  fit.kept_events = replayed.followed_events(fit.kept_steps);
  return fit;
}

Enrolled enroll_or_branch(const Services& services, const Plan& plan, const store::Reader& reader,
                          const std::function<void(const std::string&)>& log) {
  const auto& config = services.config;
  const auto enroll_without_branch = [&] {
    return enroll(plan, config, services.conditions, reader, services.writer, services.now());
  };
  const auto origin = newest_branch(reader, config.name);
  if (!origin) return enroll_without_branch();

  Enrolled branch;
  branch.trajectories = trajectory_records(plan, config, services.conditions);
  const auto recorded = reader.trajectories(origin->id);
  int recorded_steps = 0, kept_steps = 0;
  bool all_fit = true;
  for (std::size_t i = 0; i < branch.trajectories.size(); ++i) {
    const auto& planned = plan.trajectories[i];
    auto& trajectory = branch.trajectories[i];
    branch.tasks.push_back(planned.task);
    branch.known.push_back(false);
    const auto* before = recorded_trajectory_for(trajectory, recorded);
    if (before == nullptr) continue;  // a task, strategy or seed that the campaign gained
    const auto& choice = config.strategies[planned.strategy];
    RecordedTrajectory walk{store::load_journal(reader, before->id),
                            store::load_effect_events(reader, before->id)};
    const auto refusal = budgets_differ(*before, trajectory) ? first_refusal(walk.journal) : std::nullopt;
    const auto fit =
        replay_fit(services, trajectory, evaluation::borrowed(plan.tasks[planned.task]),
                   strategies::make_strategy(choice.strategy, choice.settings), std::move(walk), refusal);
    // Equal requests under another identity still need a branch: `enroll` would refuse them.
    const bool whole = fit.kept_steps == fit.recorded_steps && fit.kept_events == fit.recorded_events;
    all_fit = all_fit && (fit.recorded_steps == 0 || (whole && has_same_identity(*before, trajectory)));
    trajectory.origin = before->id;
    trajectory.kept_steps = fit.kept_steps;
    trajectory.kept_events = fit.kept_events;
    branch.known[i] = fit.kept_steps > 0;
    recorded_steps += fit.recorded_steps;
    kept_steps += fit.kept_steps;
  }
  if (all_fit) return enroll_without_branch();

  branch.campaign = campaign_record(plan, config, services.conditions, services.now());
  branch.campaign.name = free_name(config.name, reader);
  branch.campaign.origin = origin->id;
  services.writer.create(branch.campaign, task_records(plan), branch.trajectories);
  log(fmt::format("{}: a branch of {} that keeps {} of its {} recorded steps", branch.campaign.name,
                  origin->name, kept_steps, recorded_steps));
  return branch;
}

}  // namespace ridgeline::campaign
