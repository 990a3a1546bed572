#include "engine/export/card.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "engine/core/version.hpp"
#include "engine/export/formats.hpp"
#include "engine/export/schema.hpp"

namespace ridgeline::exporting {
namespace {

using nlohmann::json;

constexpr std::string_view card_mark = "# Written by ridgeline export: the next export replaces it.";

std::string yaml_header(const ExportOptions& options, const std::map<Split, std::string>& files) {
  auto text = fmt::format("---\n{}\n", card_mark);
  if (!files.empty()) {
    text += "configs:\n- config_name: default\n  data_files:\n";
    for (const auto& [split, file] : files)
      text += fmt::format("  - split: {}\n    path: {}\n", to_string(split), file);
    text += "dataset_info:\n  features:\n" + yaml_features(schema_of(options), 2);
  }
  return text +
         fmt::format("task_categories:\n- text-generation\ntags:\n- kernels\n- ridgeline\n- {}\n---\n\n",
                     to_string(options.format));
}

std::string listed(const std::set<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
  return text.empty() ? "none" : text;
}

std::string what_a_line_is(const ExportOptions& options) {
  const auto format = options.format;
  if (format == Format::atif) return "A line is a trajectory in the Agent Trajectory Interchange Format.";
  if (format == Format::kbx) return "A line is a transition under the keys of KernelBench-X's corpus.";
  if (format == Format::kbx_predictions) return "A line is a submission to KernelBench-X's scripts.";
  if (format == Format::jsonl) return "A line is an attempt with everything known about it.";
  if (format == Format::verl) return "A line is a prompt; `extra_info` holds its answers and their rewards.";
  if (format == Format::trl_grpo) return "A line is a prompt, with what its answers earned.";
  if (is_of_answers(format))
    return options.turns == Turns::all && format != Format::trl_sft
               ? "A line is a trajectory's way from its first prompt to its best kernel."
               : "A line is a prompt with an answer that was a gain.";
  if (!is_of_pairs(format)) return "A line is a prompt with an answer that is wanted or not.";
  return options.pairs == Pairs::siblings
             ? "A line is a prompt with a better and a worse answer of a model to it."
             : "A line is a task's first prompt with a better and a worse kernel, of which one came from "
               "changing the other.";
}

std::string how_split(SplitBy by) {
  switch (by) {
    case SplitBy::task:
      return "By task: 80, 10 and 10 of a hundred by the SHA-256 of its name. No task is in two splits, in "
             "this or any other export made so.";
    case SplitBy::category:
      return "By category: 80, 10 and 10 of a hundred by the SHA-256 of its name. No category is in two "
             "splits, in this or any other export made so.";
    case SplitBy::none:
      return "Not at all: everything is `train`.";
  }
  return "";
}

std::string selection(const ExportOptions& options) {
  const auto yes_no = [](bool yes) { return yes ? "kept" : "left out"; };
  std::set<std::string> kinds;
  for (const auto kind : options.kinds) kinds.insert(std::string(to_string(kind)));
  std::string text;
  text +=
      fmt::format("- kinds of transition: {}\n", kinds.empty() ? "the format's own choice" : listed(kinds));
  text += fmt::format("- a time counts as shorter if the {:g} % interval of the ratio says so\n",
                      options.confidence * 100);
  text += fmt::format("- flagged results (cheats, figures in doubt): {}\n", yes_no(options.include_flagged));
  if (is_of_answers(options.format) || is_of_pairs(options.format))
    text += fmt::format("- targets that are not correct: {}\n", yes_no(options.include_incomplete));
  if (is_of_answers(options.format))
    text += fmt::format("- right answers to a first prompt: {}\n", yes_no(options.include_first_attempts));
  if (!options.reward.empty()) text += fmt::format("- rewards: `{}`\n", options.reward);
  text += fmt::format("- pairs that nearly equal another: {}\n", yes_no(!options.deduplicate));
  text += fmt::format("- what hidden and final cases showed: {}\n",
                      yes_no(is_for_analysis(options.format) && options.include_hidden));
  if (options.split) text += fmt::format("- only the split {}\n", to_string(*options.split));
  return text;
}

std::string counts(const ExportReport& report) {
  std::string text = fmt::format("{} lines.\n\n| what | lines |\n|---|---|\n", report.lines);
  for (const auto& [split, count] : report.by_split)
    text += fmt::format("| split {} | {} |\n", to_string(split), count);
  for (const auto& [kind, count] : report.by_kind) text += fmt::format("| kind {} | {} |\n", kind, count);
  for (const auto& [reason, count] : report.left_out)
    text += fmt::format("| left out: {} | {} |\n", reason, count);
  return text;
}

}  // namespace

std::string card(const ExportOptions& options, const ExportReport& report,
                 const std::map<Split, std::string>& files) {
  auto text = yaml_header(options, files);
  text +=
      fmt::format("# {}: kernels, judged, as {}\n\n", listed(report.campaigns), to_string(options.format));
  text += what_a_line_is(options) + "\n\n";
  if (!files.empty())
    text += "    from datasets import load_dataset\n    data = load_dataset(\"this folder\")\n\n";
  text += fmt::format(
      "- campaigns: {}\n- models: {}\n- measured on: {}\n- tasks: {}, of the categories {}\n- written by: "
      "ridgeline {}\n\n",
      listed(report.campaigns), listed(report.models), listed(report.devices), report.tasks,
      listed(report.categories), version);
  text +=
      "## Rules\n\nEach answer was built, called and compared in a sandbox, on secret inputs, and timed by "
      "the judge's clock against eager PyTorch. `speedup` is over that; 0 means that there is none. "
      "`ratio` is the time before over the time after, with its interval.\n\n" +
      selection(options);
  text += "\n## Splits\n\n" + how_split(options.split_by) + "\n\n## Counts\n\n" + counts(report);
  return text;
}

bool is_card(const std::string& text) {
  return text.starts_with("---\n" + std::string(card_mark) + "\n");
}

json dataset_info(Format format, const std::map<Split, std::string>& files) {
  json columns = {{"messages", "conversations"}, {"system", "system"}};
  switch (format) {
    case Format::sharegpt:
      break;
    case Format::sharegpt_dpo:
      columns.update({{"chosen", "chosen"}, {"rejected", "rejected"}});
      break;
    case Format::sharegpt_kto:
      columns["kto_tag"] = "kto_tag";
      break;
    default:
      return nullptr;
  }
  json info = json::object();
  for (const auto& [split, file] : files) {
    auto& entry = info["ridgeline_" + std::string(to_string(split))];
    entry = {{"file_name", file}, {"formatting", "sharegpt"}, {"columns", columns}};
    if (format == Format::sharegpt_dpo) entry["ranking"] = true;
  }
  return info;
}

}  // namespace ridgeline::exporting
