#include "engine/campaign/branch.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline::campaign {
namespace {

class NobodyAnswers final : public llm::LlmClient {
 public:
  void complete(llm::LlmRequest, llm::Completion) override {}
};

class NothingToCoordinate final : public Coordinator {
 public:
  bool pausing() const override { return false; }
  void pause(Pause) override {}
  void when_budget_settles(std::function<void()>) override {}
  void settled() override {}
};

class NobodyEvaluates final : public evaluation::Evaluator {
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

/// The first step at which a trajectory's own budget refused something; nothing if it never did. Under
/// another budget it must be asked again.
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
                             [](const Difference& one) { return one.path.starts_with("budget."); });
}

/// The record of the same place in the plan; of several (its settings changed before) the same one, or the
/// newest.
const store::TrajectoryRecord* origin_of(const store::TrajectoryRecord& planned,
                                         const std::vector<store::TrajectoryRecord>& recorded) {
  const store::TrajectoryRecord* found = nullptr;
  for (const auto& one : recorded) {
    if (!at_same_place(one, planned)) continue;
    found = &one;
    if (is_same(one, planned)) break;
  }
  return found;
}

std::string free_name(const std::string& name, const store::Reader& reader) {
  for (int number = 2;; ++number) {
    auto candidate = fmt::format("{}.{}", name, number);
    if (!reader.campaign(candidate)) return candidate;
  }
}

}  // namespace

Fit fit_of(const Services& services, const store::TrajectoryRecord& trajectory,
           std::shared_ptr<const Task> task, const strategies::StrategyFunction& strategy,
           RecordedWalk recorded, std::optional<int> most_kept) {
  // Without bounds no refusal is due, and so nothing to record.
  auto unbounded = services.config;
  unbounded.per_trajectory = {};
  BudgetMeter no_bounds{Budget{}};
  NobodyAnswers model;
  NobodyEvaluates evaluator;
  Progress silent;
  NothingToCoordinate alone;
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
  Fit fit;
  fit.recorded = steps_in(recorded.journal);
  fit.recorded_events = static_cast<int>(recorded.events.size());
  Trajectory replayed(replaying, alone, judge, trajectory, std::move(task), strategy, std::move(recorded));
  std::exception_ptr problem;
  replayed.replay([&](std::exception_ptr error) { problem = error; });
  fit.kept = std::min(
      {fit.recorded, replayed.first_unmatched().value_or(fit.recorded), most_kept.value_or(fit.recorded)});
  try {
    if (problem) std::rethrow_exception(problem);
  } catch (const JournalDiverged& diverged) {
    fit.kept = std::min(fit.kept, diverged.step());
  }
  fit.kept_events = replayed.followed_events(fit.kept);
  return fit;
}

Enrolled enroll_or_branch(const Services& services, const Plan& plan, const store::Reader& reader,
                          const std::function<void(const std::string&)>& log) {
  const auto& config = services.config;
  const auto as_it_is = [&] {
    return enroll(plan, config, services.conditions, reader, services.writer, services.now());
  };
  const auto origin = newest_branch(reader, config.name);
  if (!origin) return as_it_is();

  Enrolled branch;
  branch.trajectories = trajectory_records(plan, config, services.conditions);
  const auto recorded = reader.trajectories(origin->id);
  int there = 0, kept = 0;
  bool all_fit = true;
  for (std::size_t i = 0; i < branch.trajectories.size(); ++i) {
    const auto& planned = plan.trajectories[i];
    auto& trajectory = branch.trajectories[i];
    branch.tasks.push_back(planned.task);
    branch.known.push_back(false);
    const auto* before = origin_of(trajectory, recorded);
    if (before == nullptr) continue;
    const auto& choice = config.strategies[planned.strategy];
    RecordedWalk walk{store::load_journal(reader, before->id), store::load_effect_events(reader, before->id)};
    const auto refusal = budgets_differ(*before, trajectory) ? first_refusal(walk.journal) : std::nullopt;
    const auto fit =
        fit_of(services, trajectory, evaluation::borrowed(plan.tasks[planned.task]),
               strategies::make_strategy(choice.strategy, choice.settings), std::move(walk), refusal);
    const bool whole = fit.kept == fit.recorded && fit.kept_events == fit.recorded_events;
    all_fit = all_fit && (fit.recorded == 0 || (whole && is_same(*before, trajectory)));
    trajectory.origin = before->id;
    trajectory.kept_steps = fit.kept;
    trajectory.kept_events = fit.kept_events;
    branch.known[i] = fit.kept > 0;
    there += fit.recorded;
    kept += fit.kept;
  }
  if (all_fit) return as_it_is();

  branch.campaign = campaign_record(plan, config, services.conditions, services.now());
  branch.campaign.name = free_name(config.name, reader);
  branch.campaign.origin = origin->id;
  services.writer.create(branch.campaign, task_records(plan), branch.trajectories);
  log(fmt::format("{}: a branch of {} that keeps {} of its {} recorded steps", branch.campaign.name,
                  origin->name, kept, there));
  return branch;
}

}  // namespace ridgeline::campaign
