// What follows from a comparison, in one sentence. A strategy is called better only where a difference is
// shown: p at most 5 % after Holm's correction over all contrasts, an interval without 1, and a ratio beyond
// the machine's noise floor, if that is known. Pure.
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

/// Whether the contrast shows a difference.
bool is_shown(const Contrast& contrast, Measure measure);

/// Draws the conclusion from all contrasts between strategies with these labels, of which `timed` says
/// whether any scored kernel has a time.
Conclusion conclude(const std::vector<Contrast>& contrasts, const std::vector<std::string>& labels,
                    bool timed);

/// The sentence with its first letter in upper case, as a line that begins with it has it.
std::string as_line(std::string sentence);

/// Writes a p-value: "0.31", "0.012", "< 0.001".
std::string p_text(double p);

}  // namespace ridgeline::compare
