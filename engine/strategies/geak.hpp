// GEAK's OptimAgent (AMD-AGI/GEAK-agent, branch GEAK-v1; arXiv 2507.23194): generate, evaluate, reflect, and
// once something works, optimise from the best few.
//
// Each of `candidates` slots walks on its own and all share the archive; one slot is GEAK v1 itself, and
// KernelBench-X ran 3 rounds of 4 candidates with an archive of 5 (arXiv 2605.04956). With `knowledge: bm25`
// the debug prompt carries the file of the campaign's knowledge folder that is nearest to the last code, and
// the first prompt the one nearest to the task, as in v1 (its corpus: Triton files). Optimising has none.
#pragma once

#include <optional>
#include <string>

#include "engine/core/effects.hpp"
#include "engine/core/routine.hpp"
#include "engine/strategies/feedback_items.hpp"
#include "engine/strategies/setting_table.hpp"

namespace ridgeline::strategies {

enum class Knowledge { none, bm25 };
constexpr auto enum_names(Knowledge) {
  return std::to_array<Name<Knowledge>>({{Knowledge::none, "none"}, {Knowledge::bm25, "bm25"}});
}

struct GeakSettings {
  int rounds = 20;
  int candidates = 1;
  int keep = 5;
  int repairs = 5;
  Knowledge knowledge = Knowledge::none;
  int knowledge_tokens = 2000;
  std::string critic;
  int feedback_tokens = digest_tokens;
  std::optional<double> temperature = 1.0;
};

SettingTable<GeakSettings> geak_table();

Routine<> geak(Effects& effects, Brief brief, GeakSettings settings);

/// Attempts of every round, and reflections after every round but the last (they would reach no prompt).
int geak_calls(const GeakSettings& settings);

}  // namespace ridgeline::strategies
