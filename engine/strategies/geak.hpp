// GEAK's OptimAgent (AMD-AGI/GEAK-agent, branch GEAK-v1; arXiv 2507.23194): generates, evaluates, reflects,
// and once something works, optimises from the best few.
//
// In each round each of `candidates` slots makes one attempt, and the next round begins when all have ended.
// A slot generates a first kernel, debugs its own last one, or, once any slot has a correct one, optimises
// the best of the archive that all slots share. A single slot is GEAK v1 itself; KernelBench-X ran 3 rounds
// of 4 candidates with an archive of 5 (arXiv 2605.04956). With `knowledge: bm25` the debug prompt carries
// the file of the campaign's knowledge folder that is nearest to the last code, and the first prompt carries
// the file nearest to the task, as in v1 (whose corpus is Triton files). The prompt that optimises carries no
// file.
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

/// geak_table has these in the words that `--help` and errors print.
struct GeakSettings {
  int rounds = 20;
  int candidates = 1;  ///< slots
  int keep = 5;        ///< most members of the archive, the fastest correct candidates of all slots
  /// Prompts in a row that debug a slot's failing candidate before the slot optimises the archive's best
  /// again. They count only while the archive has a member: before, a slot debugs on.
  int repairs = 5;
  Knowledge knowledge = Knowledge::none;
  int knowledge_tokens = 2000;          ///< most tokens of the knowledge file in a prompt
  std::string critic;                   ///< a role of the campaign; "" for the generator
  int feedback_tokens = digest_tokens;  ///< most tokens each: errors, times, roofline, reflection
  std::optional<double> temperature = 1.0;
};

SettingTable<GeakSettings> geak_table();

Routine<> geak(Effects& effects, Brief brief, GeakSettings settings);

/// Returns the most calls of a trajectory: an attempt per slot and round, and a critic's reflection on it
/// after every round but the last, after which no prompt could show it. A slot without a new verdict gets
/// none.
int geak_calls(const GeakSettings& settings);

}  // namespace ridgeline::strategies
