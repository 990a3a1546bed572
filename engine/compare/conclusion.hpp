// What follows from a comparison, in one sentence. A strategy is called better only where a difference is
// shown. By speed-up: p at most 5 % after Holm's correction over all contrasts, an interval without 1, and a
// ratio beyond the machine's noise floor, if that is known. By tasks solved p alone decides. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/compare/contrast.hpp"

namespace ridgeline::compare {

/// What strategies are compared by.
enum class Measure {
  speedup,  ///< `Contrast::kept`
  solved    ///< tasks solved, where no kernel of any strategy was timed
};
constexpr auto enum_names(Measure) {
  return std::to_array<Name<Measure>>({{Measure::speedup, "speedup"}, {Measure::solved, "solved"}});
}

struct Conclusion {
  std::string sentence;  ///< without a full stop; begins in lower case unless a strategy's name comes first
  Measure measure = Measure::speedup;
  std::vector<std::size_t> shown;   ///< indices of the contrasts whose difference is shown
  std::optional<std::size_t> best;  ///< index of the strategy that is shown to be better than every other
};

/// Returns whether the contrast shows a difference by `measure`.
bool is_shown(const Contrast& contrast, Measure measure);

/// Draws the conclusion from all contrasts between strategies with these labels. `timed`: whether any scored
/// kernel has a time. If none has, strategies are compared by tasks solved.
Conclusion conclude(const std::vector<Contrast>& contrasts, const std::vector<std::string>& labels,
                    bool timed);

/// Returns the sentence with its first letter in upper case, unless a strategy's label comes first.
std::string as_line(std::string sentence);

/// Writes a p-value: "0.31", "0.012", "< 0.001".
std::string p_text(double p);

}  // namespace ridgeline::compare
