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

/// Counts what was spent. Attempts whose bill is unknown count at their worst case.
struct Spending {
  std::int64_t calls = 0;
  std::int64_t evaluations = 0;
  std::int64_t tokens = 0;  ///< input plus output
  double usd = 0;
};

struct Admitted {};
/// There may be room once a call that is under way has been settled: try again then.
struct WaitForSettlement {};
struct Refused {
  std::string reason;
  std::string key;  ///< key of the cap: "usd", "tokens", "calls", "evaluations" or "wall_seconds"
};
using Admission = std::variant<Admitted, WaitForSettlement, Refused>;

/// Counts against one budget. `wall_seconds` is the time of all runs of the campaign together, this run
/// included.
class BudgetMeter {
 public:
  explicit BudgetMeter(const Budget& budget) : budget_(budget) {}

  /// Counts a call and reserves `worst`, its highest cost, if both fit. An admitted call must be ended by
  /// `settle_call` or `drop_call` with the same `worst`.
  Admission admit_call(const llm::Cost& worst, double wall_seconds);
  /// Ends an admitted call that cost `actual`.
  void settle_call(const llm::Cost& worst, const llm::Cost& actual);
  /// Takes an admitted call back, with its reservation: it is not counted as a call and costs no more than
  /// the attempts that were charged.
  void drop_call(const llm::Cost& worst);
  /// Charges a failed attempt of an admitted call, whose reservation stands for its next attempt. Returns
  /// whether all reservations, this one included, still fit beside what is spent.
  bool charge_attempt(const llm::Cost& cost);

  /// Counts an evaluation if it fits.
  Admission admit_evaluation(double wall_seconds);
  /// Takes an admitted evaluation back that was never made.
  void drop_evaluation() { --spent_.evaluations; }

  const Spending& spent() const { return spent_; }
  const Budget& budget() const { return budget_; }
  /// Returns whether money or tokens are capped. Calls must then be on record before they are sent.
  bool caps_cost() const { return budget_.tokens || budget_.usd; }
  /// Adds what an earlier run of the same campaign spent.
  void restore(const Spending& earlier);

 private:
  bool fits(const llm::Cost& more) const;  // beside what is spent; reservations are the caller's to add

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

/// Admits a call or an evaluation if the trajectory's own budget and the campaign's both admit it. Either
/// both meters count it or neither does. A resume restores only what was made, so anything else would let it
/// stand elsewhere than this run.
JointAdmission admit_call(BudgetMeter& trajectory, BudgetMeter& campaign, const llm::Cost& worst,
                          double wall_seconds);
JointAdmission admit_evaluation(BudgetMeter& trajectory, BudgetMeter& campaign, double wall_seconds);

}  // namespace ridgeline::campaign
