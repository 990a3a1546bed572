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
  trl_sft,          ///< TRL: prompt and completion, as messages
  trl_messages,     ///< TRL: prompt and answer as one list of messages
  trl_dpo,          ///< TRL: prompt, chosen, rejected, as messages
  trl_kto,          ///< TRL: prompt, completion, label
  trl_grpo,         ///< TRL: prompts alone
  openai_sft,       ///< OpenAI's fine-tuning: messages
  openai_dpo,       ///< OpenAI's fine-tuning: input, preferred_output, non_preferred_output
  sharegpt,         ///< LLaMA-Factory: conversations
  sharegpt_dpo,     ///< LLaMA-Factory: conversations, chosen, rejected
  sharegpt_kto,     ///< LLaMA-Factory: conversations, kto_tag
  verl,             ///< verl: prompts with their answers and rewards
  atif,             ///< Harbor's trajectories
  kbx,              ///< the keys of KernelBench-X's corpus
  kbx_predictions,  ///< KernelBench-X: submissions, an answer a task
  jsonl             ///< every attempt with everything known about it
};
constexpr auto enum_names(Format) {
  return std::to_array<Name<Format>>({{Format::trl_sft, "trl-sft"},
                                      {Format::trl_messages, "trl-messages"},
                                      {Format::trl_dpo, "trl-dpo"},
                                      {Format::trl_kto, "trl-kto"},
                                      {Format::trl_grpo, "trl-grpo"},
                                      {Format::openai_sft, "openai-sft"},
                                      {Format::openai_dpo, "openai-dpo"},
                                      {Format::sharegpt, "sharegpt"},
                                      {Format::sharegpt_dpo, "sharegpt-dpo"},
                                      {Format::sharegpt_kto, "sharegpt-kto"},
                                      {Format::verl, "verl"},
                                      {Format::atif, "atif"},
                                      {Format::kbx, "kbx"},
                                      {Format::kbx_predictions, "kbx-predictions"},
                                      {Format::jsonl, "jsonl"}});
}

/// Whether a format's lines are answers to learn, pairs of a better and a worse one, or for analysis.
constexpr bool is_of_answers(Format format) {
  return format == Format::trl_sft || format == Format::trl_messages || format == Format::openai_sft ||
         format == Format::sharegpt;
}
constexpr bool is_of_pairs(Format format) {
  return format == Format::trl_dpo || format == Format::openai_dpo || format == Format::sharegpt_dpo;
}
constexpr bool is_for_analysis(Format format) {
  return format == Format::atif || format == Format::kbx || format == Format::kbx_predictions ||
         format == Format::jsonl;
}

/// Which pairs the formats of preferences export.
enum class Pairs {
  siblings,   ///< answers to the same prompt with different outcomes
  transition  ///< before and after a change, both as answers to the task's own prompt
};
constexpr auto enum_names(Pairs) {
  return std::to_array<Name<Pairs>>({{Pairs::siblings, "siblings"}, {Pairs::transition, "transition"}});
}

/// How many turns a line of messages holds.
enum class Turns {
  one,  ///< a prompt and its answer
  all   ///< a trajectory's way from its first prompt to its best kernel
};
constexpr auto enum_names(Turns) {
  return std::to_array<Name<Turns>>({{Turns::one, "one"}, {Turns::all, "all"}});
}

/// Selects the attempts to export and the format of the lines.
struct ExportOptions {
  Format format = Format::trl_sft;
  Pairs pairs = Pairs::siblings;
  Turns turns = Turns::one;        ///< of trl-messages, openai-sft, sharegpt
  bool strict = false;             ///< kbx: the corpus's own keys, words and figures alone
  std::string strategy;            ///< only trajectories of this preset; "" for all
  std::string model;               ///< only trajectories of this model of the campaign file; "" for all
  std::string campaign;            ///< only this campaign; "" for all in the store
  std::set<TransitionKind> kinds;  ///< only these; empty: what the format takes by default
  SplitBy split_by = SplitBy::task;
  std::optional<Split> split;       ///< only this split
  bool deduplicate = true;          ///< export nearly equal source pairs once (jsonl keeps every attempt)
  double confidence = 0.95;         ///< of the interval beyond which one time counts as shorter; 0.5 .. 1
  std::string reward;               ///< a formula (reward_formula.hpp); "" for the door's
  bool include_flagged = false;     ///< also flagged candidates
  bool include_incomplete = false;  ///< also targets that are not correct, if they got further than before
  bool include_first_attempts = false;  ///< formats of answers: also correct answers to a task's first prompt
  bool include_hidden = false;          ///< kbx, jsonl: also results of hidden and final cases
};

/// Counts the exported lines, and the pairs that were left out.
struct ExportReport {
  int lines = 0;
  std::map<std::string, int> by_kind;  ///< by kind of transition; "first" and "siblings" if there is none
  std::map<Split, int> by_split;
  std::map<std::string, int> left_out;  ///< reason → number of pairs
  std::set<std::string> campaigns;      ///< of what was read, exported or not; so are the next three
  std::set<std::string> models;         ///< ids as providers name them
  std::set<std::string> devices;        ///< as verdicts name them
  std::set<std::string> categories;
  int tasks = 0;
};

}  // namespace ridgeline::exporting
