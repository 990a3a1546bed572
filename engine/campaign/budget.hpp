// Counts what a trajectory or a whole campaign has spent and refuses what could go beyond. Pure: fed by
// events.
//
// A cap is never exceeded: before a call starts, the most that it can cost is reserved, and settled when the
// call has ended. A call for which reservations of others leave no room waits until those are settled; one
// that would not fit even if they cost nothing is refused. A trajectory's refusal is a result, which the
// caller journals; a campaign's pauses it. A replay feeds the same spending back in through `restore`.
#pragma once

#include <cstdint>
#include <string>
#include <variant>

#include "engine/campaign/config.hpp"
#include "llm_clients/client.hpp"

namespace ridgeline::campaign {

struct Spending {
  std::int64_t calls = 0;
  std::int64_t evaluations = 0;
  std::int64_t tokens = 0;  ///< reported, and what unreported attempts may have taken at most
  double usd = 0;           ///< likewise
};

struct Admitted {};
/// Ask again when a call that is under way has been settled.
struct WaitForSettlement {};
struct Refused {
  std::string reason;
  std::string key;  ///< of the budget that refuses: "usd", "tokens", "calls", "evaluations", "wall_seconds"
};
using Admission = std::variant<Admitted, WaitForSettlement, Refused>;

/// `wall_seconds` everywhere: what the campaign's runs have taken so far, together.
class BudgetMeter {
 public:
  explicit BudgetMeter(const Budget& budget) : budget_(budget) {}

  /// `Admitted` has counted the call and reserved `worst`: end it with `settle_call` or `drop_call`.
  Admission admit_call(const llm::Cost& worst, double wall_seconds);
  /// An admitted call has ended and came to `actual`.
  void settle_call(const llm::Cost& worst, const llm::Cost& actual);
  /// An admitted call brought no result that counts: it is given back, with its reservation.
  void drop_call(const llm::Cost& worst);
  /// An attempt of an admitted call failed and came to `cost`. Returns whether another one still fits.
  bool charge_attempt(const llm::Cost& cost);

  Admission admit_evaluation(double wall_seconds);
  /// An admitted evaluation was never made.
  void drop_evaluation() { --spent_.evaluations; }

  const Spending& spent() const { return spent_; }
  const Budget& budget() const { return budget_; }
  /// Money or tokens have a cap, so that calls must be on record before they are sent.
  bool caps_cost() const { return budget_.tokens || budget_.usd; }
  /// Adds what an earlier run of the same campaign spent.
  void restore(const Spending& earlier);

 private:
  bool fits(const llm::Cost& more) const;

  Budget budget_;
  Spending spent_;
  llm::Cost reserved_;
};

struct RefusedByTrajectory {
  std::string reason;
};
struct RefusedByCampaign {
  std::string reason;
  std::string key;  ///< as Refused's
};
using JointAdmission = std::variant<Admitted, WaitForSettlement, RefusedByTrajectory, RefusedByCampaign>;

/// Admits a call or an evaluation if the trajectory's own budget and the campaign's both admit it. Then both
/// count it; else neither does, so that a resume, which restores only what was made, stands where this run
/// stood.
JointAdmission admit_call(BudgetMeter& trajectory, BudgetMeter& campaign, const llm::Cost& worst,
                          double wall_seconds);
JointAdmission admit_evaluation(BudgetMeter& trajectory, BudgetMeter& campaign, double wall_seconds);

}  // namespace ridgeline::campaign
