#include "engine/campaign/plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/core/error.hpp"

namespace ridgeline::campaign {

std::string PlannedTrajectory::address(const std::vector<Task>& tasks, const CampaignConfig& config) const {
  return fmt::format("{}/{}/{}", tasks[task].name, config.strategies[strategy].label, seed);
}

namespace {

std::int64_t cut(std::int64_t value, const std::optional<std::int64_t>& bound) {
  return bound ? std::min(value, *bound) : value;
}

UpperBound bound_of(const CampaignConfig& config, const std::vector<PlannedTrajectory>& trajectories) {
  UpperBound bound;
  const auto& generator = config.model_for_role("generator");
  for (const auto& trajectory : trajectories) {
    const auto& choice = config.strategies[trajectory.strategy];
    bound.calls +=
        cut(strategies::upper_bound_of_calls(choice.strategy, choice.settings), config.per_trajectory.calls);
    bound.evaluations += cut(cut(strategies::upper_bound_of_evaluations(choice.strategy, choice.settings),
                                 config.per_trajectory.calls),
                             config.per_trajectory.evaluations);
  }
  bound.calls = cut(bound.calls, config.total.calls);
  bound.evaluations = cut(bound.evaluations, config.total.evaluations);
  bound.output_tokens = cut(bound.calls * generator.max_output_tokens, config.total.tokens);
  if (generator.prices.output > 0) {
    bound.usd = static_cast<double>(bound.output_tokens) * 1e-6 * generator.prices.output;
    if (config.total.usd) bound.usd = std::min(*bound.usd, *config.total.usd);
  }
  return bound;
}

}  // namespace

Plan make_plan(const CampaignConfig& config, Selection selection) {
  if (selection.tasks.empty() && !selection.suite.empty())
    throw BadInput(fmt::format("the campaign '{}' has no task that could be judged.\n{}", config.name,
                               suite_text(selection.suite)));
  if (selection.tasks.empty())
    throw BadInput(
        fmt::format("the campaign '{}' selects no task: loosen suite.tasks, suite.categories or "
                    "suite.difficulty (`ridgeline tasks list` shows what there is)",
                    config.name));
  Plan plan;
  plan.tasks = std::move(selection.tasks);
  plan.suite = std::move(selection.suite);
  for (std::size_t task = 0; task < plan.tasks.size(); ++task)
    for (const auto seed : config.seeds)
      for (std::size_t strategy = 0; strategy < config.strategies.size(); ++strategy)
        plan.trajectories.push_back({task, strategy, seed});
  plan.bound = bound_of(config, plan.trajectories);
  return plan;
}

std::string describe(const Plan& plan, const CampaignConfig& config) {
  auto page =
      fmt::format("campaign {}: {} trajectories = {} tasks x {} strategies x {} seeds\n", config.name,
                  plan.trajectories.size(), plan.tasks.size(), config.strategies.size(), config.seeds.size());
  page += "tasks:";
  for (const auto& task : plan.tasks) page += " " + task.name;
  page += "\n";
  if (!plan.suite.empty()) page += suite_text(plan.suite);
  page += "strategies:\n";
  for (const auto& choice : config.strategies) {
    page += fmt::format(
        "  {} ({}): at most {} calls and {} evaluations a trajectory\n", choice.label, choice.strategy,
        cut(strategies::upper_bound_of_calls(choice.strategy, choice.settings), config.per_trajectory.calls),
        strategies::upper_bound_of_evaluations(choice.strategy, choice.settings));
  }
  if (config.worker.torch_compile)
    page += fmt::format(
        "torch.compile, mode {}: of each task that is answered rightly, once a device, after the last "
        "trajectory\n",
        to_string(*config.worker.torch_compile));
  page += "models:";
  for (const auto& [role, model] : config.roles) page += fmt::format(" {}={}", role, model);
  page += fmt::format("\nat most {} calls, {} evaluations, {} output tokens", plan.bound.calls,
                      plan.bound.evaluations, plan.bound.output_tokens);
  page += plan.bound.usd ? fmt::format(", {:.2f} USD for output\n", *plan.bound.usd) : ", no price given\n";
  return page;
}

}  // namespace ridgeline::campaign
