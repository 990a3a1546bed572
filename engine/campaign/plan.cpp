#include "engine/campaign/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/campaign/call_cost.hpp"
#include "engine/core/error.hpp"

namespace ridgeline::campaign {

std::string PlannedTrajectory::address(const std::vector<Task>& tasks, const CampaignConfig& config) const {
  return fmt::format("{}/{}/{}", tasks[task].name, config.strategies[strategy].label, seed);
}

namespace {

std::int64_t capped_at(std::int64_t value, const std::optional<std::int64_t>& bound) {
  return bound ? std::min(value, *bound) : value;
}

/// Bounds the output of one call of a strategy, over the models that it may call. The prompt is not bounded:
/// its length is known only when it is rendered.
struct CallBound {
  std::int64_t tokens = 0;
  double usd = 0;
  bool priced = true;  ///< every model has a price
};

CallBound bound_of_call(const StrategyChoice& choice, const CampaignConfig& config) {
  CallBound bound;
  for (const auto& role : config.roles_asked_by(choice)) {
    const auto& model = config.model_for_role(choice, role);
    bound.tokens = std::max<std::int64_t>(bound.tokens, model.max_output_tokens);
    bound.usd =
        std::max(bound.usd, longest_output_usd(model));  // the dearest may be another than the longest
    bound.priced = bound.priced && model.prices.output > 0;
  }
  return bound;
}

/// Throws BadInput if a cap is below what a single call may cost: the campaign would pause without a request.
void refuse_hopeless_cap(const Budget& budget, const char* which, const StrategyChoice& choice,
                         const CampaignConfig& config) {
  const auto call = bound_of_call(choice, config);
  if (budget.usd && call.usd > *budget.usd)
    throw BadInput(
        fmt::format("budget.{}.usd is {} and a single call of the strategy '{}' may cost {:.4f} USD for its "
                    "output alone: nothing "
                    "would be asked. Raise the cap, or lower max_output_tokens of the model",
                    which, *budget.usd, choice.label, call.usd));
  if (budget.tokens && call.tokens > *budget.tokens)
    throw BadInput(
        fmt::format("budget.{}.tokens is {} and a single call of the strategy '{}' may put out {} tokens: "
                    "nothing would be asked. "
                    "Raise the cap, or lower max_output_tokens of the model",
                    which, *budget.tokens, choice.label, call.tokens));
}

template <class T>
void add_binding_cap(std::vector<std::string>& binding_caps, const char* key, const std::optional<T>& cap,
                     T needed) {
  if (cap && needed > *cap)
    binding_caps.push_back(
        fmt::format("budget.total.{} = {} may cut it: all of it may take {}", key, *cap, needed));
}

UpperBound bound_of(const CampaignConfig& config, const std::vector<PlannedTrajectory>& trajectories) {
  UpperBound bound;
  double usd = 0;
  bool priced = true;
  // Each trajectory is bounded by its own caps first: the sum is then bounded by the campaign's.
  for (const auto& trajectory : trajectories) {
    const auto& choice = config.strategies[trajectory.strategy];
    const auto calls = capped_at(strategies::upper_bound_of_calls(choice.strategy, choice.settings),
                                 config.per_trajectory.calls);
    const auto call = bound_of_call(choice, config);
    const auto tokens = capped_at(calls * call.tokens, config.per_trajectory.tokens);
    bound.calls += calls;
    bound.output_tokens += tokens;
    usd += std::min(static_cast<double>(calls) * call.usd, config.per_trajectory.usd.value_or(HUGE_VAL));
    priced = priced && call.priced;
    // No call makes more than one candidate, so the cap on calls bounds evaluations too.
    bound.evaluations +=
        capped_at(capped_at(strategies::upper_bound_of_evaluations(choice.strategy, choice.settings),
                            config.per_trajectory.calls),
                  config.per_trajectory.evaluations);
  }
  add_binding_cap<std::int64_t>(bound.binding_caps, "calls", config.total.calls, bound.calls);
  add_binding_cap<std::int64_t>(bound.binding_caps, "evaluations", config.total.evaluations,
                                bound.evaluations);
  add_binding_cap<std::int64_t>(bound.binding_caps, "tokens", config.total.tokens, bound.output_tokens);
  if (priced) add_binding_cap<double>(bound.binding_caps, "usd", config.total.usd, usd);
  bound.calls = capped_at(bound.calls, config.total.calls);
  bound.evaluations = capped_at(bound.evaluations, config.total.evaluations);
  bound.output_tokens = capped_at(bound.output_tokens, config.total.tokens);
  if (priced) bound.usd = std::min(usd, config.total.usd.value_or(HUGE_VAL));
  return bound;
}

std::string model_text(const std::string& role, const llm::Model& model) {
  return fmt::format(
      "  {} = {} ({}{}{}): at most {} tokens a call{}\n", role, model.name, to_string(model.provider),
      model.id.empty() ? "" : " ", model.id, model.max_output_tokens,
      model.prices.output > 0 ? fmt::format(", {:.4f} USD", longest_output_usd(model)) : ", no price given");
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
  for (const auto& choice : config.strategies) {
    refuse_hopeless_cap(config.per_trajectory, "per_trajectory", choice, config);
    refuse_hopeless_cap(config.total, "total", choice, config);
  }
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
    page += fmt::format("  {} ({}): at most {} calls and {} evaluations a trajectory\n", choice.label,
                        choice.strategy,
                        capped_at(strategies::upper_bound_of_calls(choice.strategy, choice.settings),
                                  config.per_trajectory.calls),
                        strategies::upper_bound_of_evaluations(choice.strategy, choice.settings));
  }
  if (config.worker.torch_compile)
    page += fmt::format(
        "torch.compile, mode {}: of each task that is answered rightly, once a device, after the last "
        "trajectory\n",
        to_string(*config.worker.torch_compile));
  page += "models:\n";
  for (const auto& [role, name] : config.roles) {
    const auto names_its_own = [&](const auto& choice) { return choice.roles.contains(role); };
    if (!std::ranges::all_of(config.strategies, names_its_own)) page += model_text(role, config.model(name));
  }
  for (const auto& choice : config.strategies)
    for (const auto& [role, name] : choice.roles)
      page += model_text(fmt::format("{} of {}", role, choice.label), config.model(name));
  page += fmt::format("at most {} calls, {} evaluations, {} output tokens", plan.bound.calls,
                      plan.bound.evaluations, plan.bound.output_tokens);
  page += plan.bound.usd ? fmt::format(", {:.2f} USD for output (prompts come on top)\n", *plan.bound.usd)
                         : ", no bound in USD\n";
  for (const auto& line : plan.bound.binding_caps) page += line + "\n";
  if (plan.bound.binding_caps.empty() && (config.total.usd || config.total.tokens || config.total.calls))
    page += "the caps of budget.total cut nothing off\n";
  return page;
}

}  // namespace ridgeline::campaign
