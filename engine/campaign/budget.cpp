#include "engine/campaign/budget.hpp"

#include <fmt/format.h>

namespace ridgeline::campaign {
namespace {

/// Sums of prices in binary fractions may be off by this much where they should be equal.
constexpr double kRoundingUsd = 1e-9;

Refused spent_refusal(std::string_view key, const std::string& amount) {
  return {fmt::format("the budget of {} is spent", amount), std::string(key)};
}

bool past_wall(const Budget& budget, double wall_seconds) {
  return budget.wall_seconds && wall_seconds >= *budget.wall_seconds;
}

Refused wall_refusal(const Budget& budget) {
  return spent_refusal("wall_seconds", fmt::format("{:.0f} s of wall time", *budget.wall_seconds));
}

// The trajectory's meter decides first: its refusal is a result that ends the trajectory, and must not depend
// on what other trajectories have reserved.
template <class Admit, class GiveBack>
JointAdmission admit_both(Admit admit, GiveBack release_reservation, BudgetMeter& trajectory,
                          BudgetMeter& campaign) {
  auto own = admit(trajectory);
  if (auto* refused = std::get_if<Refused>(&own))
    return RefusedByTrajectory{"trajectory: " + refused->reason};
  if (std::holds_alternative<WaitForSettlement>(own)) return WaitForSettlement{};
  auto shared = admit(campaign);
  if (std::holds_alternative<Admitted>(shared)) return Admitted{};
  release_reservation(trajectory);
  if (auto* refused = std::get_if<Refused>(&shared))
    return RefusedByCampaign{"campaign: " + refused->reason, refused->key};
  return WaitForSettlement{};
}

}  // namespace

bool BudgetMeter::fits(const llm::Cost& more) const {
  if (budget_.tokens && spent_.tokens + more.tokens > *budget_.tokens) return false;
  return !budget_.usd || spent_.usd + more.usd <= *budget_.usd + kRoundingUsd;
}

Admission BudgetMeter::admit_call(const llm::Cost& worst, double wall_seconds) {
  if (past_wall(budget_, wall_seconds)) return wall_refusal(budget_);
  if (budget_.calls && spent_.calls >= *budget_.calls)
    return spent_refusal("calls", fmt::format("{} calls", *budget_.calls));
  // Would not fit even if all reservations came to nothing: waiting cannot help.
  if (!fits(worst)) {
    if (budget_.tokens && spent_.tokens + worst.tokens > *budget_.tokens)
      return Refused{fmt::format("of the budget of {} tokens {} are left, and the next call may take {}",
                                 *budget_.tokens, std::max<std::int64_t>(0, *budget_.tokens - spent_.tokens),
                                 worst.tokens),
                     "tokens"};
    return Refused{
        fmt::format("of the budget of {:.2f} USD {:.4f} are left, and the next call may cost {:.4f}",
                    *budget_.usd, std::max(0.0, *budget_.usd - spent_.usd), worst.usd),
        "usd"};
  }
  if (!fits({reserved_.tokens + worst.tokens, reserved_.usd + worst.usd})) return WaitForSettlement{};
  ++spent_.calls;
  reserved_.tokens += worst.tokens;
  reserved_.usd += worst.usd;
  return Admitted{};
}

void BudgetMeter::settle_call(const llm::Cost& worst, const llm::Cost& actual) {
  reserved_.tokens -= worst.tokens;
  reserved_.usd -= worst.usd;
  charge_attempt(actual);
}

void BudgetMeter::drop_call(const llm::Cost& worst) {
  --spent_.calls;
  settle_call(worst, {});
}

bool BudgetMeter::charge_attempt(const llm::Cost& cost) {
  spent_.tokens += cost.tokens;
  spent_.usd += cost.usd;
  // The call's own reservation stands until it is settled, so this asks for one more worst case.
  return fits(reserved_);
}

Admission BudgetMeter::admit_evaluation(double wall_seconds) {
  // Tokens and USD buy answers; an answer that was paid for is evaluated, so only wall time and its own count
  // bind.
  if (past_wall(budget_, wall_seconds)) return wall_refusal(budget_);
  if (budget_.evaluations && spent_.evaluations >= *budget_.evaluations)
    return spent_refusal("evaluations", fmt::format("{} evaluations", *budget_.evaluations));
  ++spent_.evaluations;
  return Admitted{};
}

void BudgetMeter::restore(const Spending& earlier) {
  spent_.calls += earlier.calls;
  spent_.evaluations += earlier.evaluations;
  spent_.tokens += earlier.tokens;
  spent_.usd += earlier.usd;
}

JointAdmission admit_call(BudgetMeter& trajectory, BudgetMeter& campaign, const llm::Cost& worst,
                          double wall_seconds) {
  return admit_both([&](BudgetMeter& meter) { return meter.admit_call(worst, wall_seconds); },
                    [&](BudgetMeter& meter) { meter.drop_call(worst); }, trajectory, campaign);
}

JointAdmission admit_evaluation(BudgetMeter& trajectory, BudgetMeter& campaign, double wall_seconds) {
  return admit_both([&](BudgetMeter& meter) { return meter.admit_evaluation(wall_seconds); },
                    [](BudgetMeter& meter) { meter.drop_evaluation(); }, trajectory, campaign);
}

}  // namespace ridgeline::campaign
