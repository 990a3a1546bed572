// Rewards by a formula of the user's, computed again from what is kept.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engine/core/expression.hpp"
#include "engine/core/verdict.hpp"

namespace ridgeline::exporting {

/// A formula as `0.3 * correct + speedup` (engine/core/expression.hpp has the grammar). Its symbols: `built`,
/// `called`, `correct`, `cheated`, `flagged` (0 or 1); `speedup`, `speedup_low` (0 unless correct and timed);
/// `efficiency`, the geometric mean over cases (0 unless correct and placed under the roof).
class RewardFormula {
 public:
  /// "" means the door's reward (engine/core/reward.hpp). Throws BadInput for what is no formula, and for a
  /// symbol that is none of these.
  explicit RewardFormula(const std::string& text);

  /// nullopt where the machine failed, so that there is nothing to learn from. Throws BadInput if the formula
  /// gives no finite number.
  std::optional<double> of(const Verdict& verdict) const;

 private:
  std::string text_;
};

}  // namespace ridgeline::exporting
