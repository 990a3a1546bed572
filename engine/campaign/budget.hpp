// Counts what a trajectory or a whole campaign has spent and refuses what would go beyond. Pure: fed by
// events.
//
// Calls and evaluations are counted when admitted, so that no burst can overshoot them; tokens and USD are
// known only afterwards, so these bounds are overshot by at most the calls in flight. A refusal is a result:
// the caller journals it, and a replay feeds the same spending back in through `restore`.
#pragma once

#include <cstdint>
#include <string>

#include "engine/campaign/config.hpp"

namespace ridgeline::campaign {

struct Spending {
  std::int64_t calls = 0;
  std::int64_t evaluations = 0;
  std::int64_t tokens = 0;
  double usd = 0;
};

/// `wall_seconds` everywhere: what the campaign's runs have taken so far, together.
class BudgetMeter {
 public:
  explicit BudgetMeter(const Budget& budget) : budget_(budget) {}

  /// "" if a call may be made (and it is counted), else which bound refuses it.
  std::string admit_call(double wall_seconds);
  std::string admit_evaluation(double wall_seconds);
  /// What an admitted call cost, once known.
  void spend(std::int64_t tokens, double usd);
  /// Gives an admitted call or evaluation back: it was never made.
  void give_back_call() { --spent_.calls; }
  void give_back_evaluation() { --spent_.evaluations; }

  const Spending& spent() const { return spent_; }
  /// Adds what an earlier run of the same campaign spent.
  void restore(const Spending& earlier);

 private:
  std::string exhausted(double wall_seconds) const;

  Budget budget_;
  Spending spent_;
};

/// What a trajectory asks before a call or an evaluation: "" if its own budget and the campaign's admit it
/// (and both count it), else whose bound refuses it (and neither counts it, so that a resume, which restores
/// only what was made, stands where this run stood).
std::string admit_call(BudgetMeter& trajectory, BudgetMeter& campaign, double wall_seconds);
std::string admit_evaluation(BudgetMeter& trajectory, BudgetMeter& campaign, double wall_seconds);

}  // namespace ridgeline::campaign
