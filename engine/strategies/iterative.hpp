// Iterative refinement as KernelBench describes it (Ouyang et al. 2025, arXiv 2502.10517, section 5): one
// chain that always continues from the latest kernel.
#pragma once

#include <optional>

#include "engine/core/effects.hpp"
#include "engine/core/routine.hpp"
#include "engine/strategies/feedback_items.hpp"
#include "engine/strategies/setting_table.hpp"

namespace ridgeline::strategies {

/// Says what a refinement prompt shows of the latest kernel beside its source. The names are KernelBench's:
/// generation, execution, profile.
enum class FeedbackSet {
  g,     ///< nothing
  g_e,   ///< errors of an incorrect kernel, times of a correct one
  g_e_p  ///< as g_e, and the roofline of a correct kernel
};
constexpr auto enum_names(FeedbackSet) {
  return std::to_array<Name<FeedbackSet>>(
      {{FeedbackSet::g, "g"}, {FeedbackSet::g_e, "g_e"}, {FeedbackSet::g_e_p, "g_e_p"}});
}

/// Says how a model is asked to write a refinement: as a whole file or as search-and-replace blocks.
enum class AnswerForm { whole, diff };
constexpr auto enum_names(AnswerForm) {
  return std::to_array<Name<AnswerForm>>({{AnswerForm::whole, "whole"}, {AnswerForm::diff, "diff"}});
}

/// iterative.cpp says what each means, in the words that `--help` and errors print.
struct IterativeSettings {
  int rounds = 10;
  FeedbackSet feedback = FeedbackSet::g_e_p;
  AnswerForm edit = AnswerForm::whole;
  int history = 0;
  int feedback_tokens = digest_tokens;
  std::optional<double> temperature;
  Examples examples = Examples::none;
  bool hardware = false;
};

SettingTable<IterativeSettings> iterative_table();

Routine<> iterative(Effects& effects, Brief brief, IterativeSettings settings);

}  // namespace ridgeline::strategies
