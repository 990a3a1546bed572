// Defines what an export is asked for and what it reports.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "engine/core/names.hpp"
#include "engine/export/splits.hpp"
#include "engine/export/transition.hpp"

namespace ridgeline::exporting {

enum class Format {
  trl_sft,  ///< TRL's prompt-completion, as messages
  trl_dpo,  ///< TRL's prompt, chosen, rejected, as messages
  kbx,      ///< the keys of KernelBench-X's corpus
  jsonl     ///< every attempt with everything known about it
};
constexpr auto enum_names(Format) {
  return std::to_array<Name<Format>>({{Format::trl_sft, "trl-sft"},
                                      {Format::trl_dpo, "trl-dpo"},
                                      {Format::kbx, "kbx"},
                                      {Format::jsonl, "jsonl"}});
}

/// Which pairs trl-dpo exports.
enum class Pairs {
  siblings,   ///< answers to the same prompt with different outcomes
  transition  ///< before and after a change, both as answers to the task's own prompt
};
constexpr auto enum_names(Pairs) {
  return std::to_array<Name<Pairs>>({{Pairs::siblings, "siblings"}, {Pairs::transition, "transition"}});
}

/// Selects the attempts to export and the format of the lines.
struct ExportOptions {
  Format format = Format::trl_sft;
  Pairs pairs = Pairs::siblings;
  std::string campaign;             ///< only this campaign; "" for all in the store
  std::set<TransitionKind> kinds;   ///< only these; empty: gains for trl-sft, everything for other formats
  std::optional<Split> split;       ///< only this split
  bool deduplicate = true;          ///< export nearly equal source pairs once (jsonl keeps every attempt)
  bool include_flagged = false;     ///< also flagged candidates
  bool include_incomplete = false;  ///< also targets that are not correct, if they got further than before
  bool include_first_attempts = false;  ///< trl-sft: also correct answers to a task's first prompt
  bool include_hidden = false;          ///< kbx, jsonl: also results of hidden and final cases
};

/// Counts the exported lines, and the pairs that were left out.
struct ExportReport {
  int lines = 0;
  std::map<std::string, int> by_kind;  ///< by kind of transition; "first" and "siblings" if there is none
  std::map<Split, int> by_split;
  std::map<std::string, int> left_out;  ///< reason → number of pairs
};

}  // namespace ridgeline::exporting
