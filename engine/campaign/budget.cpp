#include "engine/campaign/budget.hpp"

#include <fmt/format.h>

namespace ridgeline::campaign {

std::string BudgetMeter::exhausted(double wall_seconds) const {
  if (budget_.tokens && spent_.tokens >= *budget_.tokens)
    return fmt::format("the budget of {} tokens is spent", *budget_.tokens);
  if (budget_.usd && spent_.usd >= *budget_.usd)
    return fmt::format("the budget of {:.2f} USD is spent", *budget_.usd);
  if (budget_.wall_seconds && wall_seconds >= *budget_.wall_seconds)
    return fmt::format("the budget of {:.0f} s of wall time is spent", *budget_.wall_seconds);
  return {};
}

std::string BudgetMeter::admit_call(double wall_seconds) {
  if (auto refusal = exhausted(wall_seconds); !refusal.empty()) return refusal;
  if (budget_.calls && spent_.calls >= *budget_.calls)
    return fmt::format("the budget of {} calls is spent", *budget_.calls);
  ++spent_.calls;
  return {};
}

std::string BudgetMeter::admit_evaluation(double wall_seconds) {
  // Tokens and USD buy answers; an answer that was paid for is evaluated, so only wall time and its own count
  // bind.
  if (budget_.wall_seconds && wall_seconds >= *budget_.wall_seconds)
    return fmt::format("the budget of {:.0f} s of wall time is spent", *budget_.wall_seconds);
  if (budget_.evaluations && spent_.evaluations >= *budget_.evaluations)
    return fmt::format("the budget of {} evaluations is spent", *budget_.evaluations);
  ++spent_.evaluations;
  return {};
}

void BudgetMeter::spend(std::int64_t tokens, double usd) {
  spent_.tokens += tokens;
  spent_.usd += usd;
}

void BudgetMeter::restore(const Spending& earlier) {
  spent_.calls += earlier.calls;
  spent_.evaluations += earlier.evaluations;
  spent_.tokens += earlier.tokens;
  spent_.usd += earlier.usd;
}

std::string admit_call(BudgetMeter& trajectory, BudgetMeter& campaign, double wall_seconds) {
  if (auto refusal = trajectory.admit_call(wall_seconds); !refusal.empty()) return "trajectory: " + refusal;
  const auto refusal = campaign.admit_call(wall_seconds);
  if (refusal.empty()) return {};
  trajectory.give_back_call();
  return "campaign: " + refusal;
}

std::string admit_evaluation(BudgetMeter& trajectory, BudgetMeter& campaign, double wall_seconds) {
  if (auto refusal = trajectory.admit_evaluation(wall_seconds); !refusal.empty())
    return "trajectory: " + refusal;
  const auto refusal = campaign.admit_evaluation(wall_seconds);
  if (refusal.empty()) return {};
  trajectory.give_back_evaluation();
  return "campaign: " + refusal;
}

}  // namespace ridgeline::campaign
