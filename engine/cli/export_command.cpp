// `ridgeline export`: a store to training data. Lines on stdout or in files, the report on stderr.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "engine/cli/commands.hpp"
#include "engine/cli/open_store.hpp"
#include "engine/cli/options.hpp"
#include "engine/cli/printing.hpp"
#include "engine/export/export.hpp"
#include "engine/export/files.hpp"
#include "engine/store/reader.hpp"
#include "engine/store/store.hpp"

namespace ridgeline::cli {
namespace {

struct ExportCommandOptions {
  std::string store, format = "trl-sft", pairs = "siblings", turns = "one", splits = "task", split, out,
                     files;
  std::vector<std::string> kinds;
  exporting::ExportOptions chosen;
  bool keep_duplicates = false, json = false;
};

/// The kind of a folder's files. verl reads nothing but parquet.
exporting::FileKind kind_in_folder(const ExportCommandOptions& options) {
  if (!options.files.empty()) return enumerator<exporting::FileKind>(options.files, "--files");
  return options.chosen.format == exporting::Format::verl ? exporting::FileKind::parquet
                                                          : exporting::FileKind::jsonl;
}

exporting::ExportReport write_export(const store::Reader& reader, const ExportCommandOptions& options) {
  if (options.out.empty()) return exporting::export_store(reader, options.chosen, std::cout);
  if (const auto kind = exporting::file_kind_of(options.out))
    return exporting::export_to_file(reader, options.chosen, options.out, *kind);
  return exporting::export_to_folder(reader, options.chosen, options.out, kind_in_folder(options));
}

std::string report_text(const exporting::ExportReport& report) {
  std::string text = fmt::format("{} lines\n", report.lines);
  for (const auto& [split, count] : report.by_split)
    text += fmt::format("  {:>6} {}\n", count, to_string(split));
  for (const auto& [kind, count] : report.by_kind) text += fmt::format("  {:>6} of kind {}\n", count, kind);
  for (const auto& [reason, count] : report.left_out)
    text += fmt::format("  {:>6} left out: {}\n", count, reason);
  return text;
}

/// The line of Python that loads what was written.
std::string how_to_load(const ExportCommandOptions& options) {
  const auto path =
      nlohmann::json(options.out).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  const auto kind = exporting::file_kind_of(options.out);
  if (!kind) return fmt::format("load it: datasets.load_dataset({})\n", path);
  return fmt::format("load it: datasets.load_dataset(\"{}\", data_files={})\n",
                     *kind == exporting::FileKind::parquet ? "parquet" : "json", path);
}

nlohmann::json report_document(const exporting::ExportReport& report, const ExportCommandOptions& options) {
  nlohmann::json splits = nlohmann::json::object();
  for (const auto& [split, count] : report.by_split) splits[std::string(to_string(split))] = count;
  return {{"format", options.format},  {"out", options.out}, {"lines", report.lines},
          {"by_kind", report.by_kind}, {"by_split", splits}, {"left_out", report.left_out}};
}

void run_export(ExportCommandOptions& options) {
  options.chosen.format = enumerator<exporting::Format>(options.format, "--format");
  options.chosen.turns = enumerator<exporting::Turns>(options.turns, "--turns");
  options.chosen.split_by = enumerator<exporting::SplitBy>(options.splits, "--splits");
  options.chosen.pairs = enumerator<exporting::Pairs>(options.pairs, "--pairs");
  if (!options.split.empty()) options.chosen.split = enumerator<exporting::Split>(options.split, "--split");
  for (const auto& kind : options.kinds)
    options.chosen.kinds.insert(enumerator<exporting::TransitionKind>(kind, "--kind"));
  if (!(options.chosen.confidence >= 0.5 && options.chosen.confidence <= 0.9999))
    throw BadInput("--min-confidence: a share from 0.5 to 0.9999, as 0.99");
  options.chosen.deduplicate = !options.keep_duplicates;
  if (options.json && options.out.empty())
    throw BadInput("--json prints the report on stdout, where the lines would go too: name --out");

  const auto store = open_store_with_campaigns(options.store);
  const store::Reader reader(store);
  const auto report = write_export(reader, options);
  std::cout.flush();  // a full disk or a closed pipe shows only now
  if (!std::cout) throw MachineCannot("stdout could not take all lines; name a file with --out");
  if (options.json)
    print_json("export", report_document(report, options));
  else
    std::cerr << report_text(report)
              << (options.out.empty() || report.lines == 0 ? "" : how_to_load(options));
}

}  // namespace

void add_export_command(CLI::App& app, Exit&) {
  auto* command = app.add_subcommand("export", "Training data from a store");
  const auto options = std::make_shared<ExportCommandOptions>();
  command->add_option("STORE", options->store, "A campaign's store")->required();
  command->add_option("--format", options->format, choices<exporting::Format>())->required();
  command
      ->add_option("--out", options->out,
                   "NAME.jsonl, .json or .parquet: one file; else a folder with a file a split and a card "
                   "(default: stdout)")
      ->type_name("PATH");
  command->add_option(
      "--files", options->files,
      "A folder's files: " + choices<exporting::FileKind>() + " (default: jsonl; verl: parquet)");
  command->add_option("--pairs", options->pairs, "Of *-dpo: " + choices<exporting::Pairs>());
  command->add_option("--turns", options->turns,
                      "Of trl-messages, openai-sft, sharegpt: " + choices<exporting::Turns>());
  command->add_option("--campaign", options->chosen.campaign, "Only this one (default: all)");
  command->add_option("--strategy", options->chosen.strategy,
                      "Only trajectories of this preset (default: all)");
  command->add_option("--model", options->chosen.model,
                      "Only trajectories of this model of the campaign file (default: all)");
  command->add_flag("--strict", options->chosen.strict, "Of kbx: the corpus's keys, words and figures alone");
  command->add_option("--splits", options->splits, "What decides a split: " + choices<exporting::SplitBy>());
  command->add_option("--split", options->split, "Only this one: " + choices<exporting::Split>());
  command->add_option("--kind", options->kinds, "Only these: " + choices<exporting::TransitionKind>());
  command
      ->add_option("--min-confidence", options->chosen.confidence,
                   "That a time is shorter, 0.5 to 0.9999 (default: 0.95)")
      ->type_name("SHARE");
  command->add_option("--reward", options->chosen.reward,
                      "Of *-kto, trl-grpo, verl, atif: a formula, as 'correct + log2(1 + speedup)'");
  command->add_flag("--keep-duplicates", options->keep_duplicates, "Also pairs that are nearly equal");
  command->add_flag("--include-flagged", options->chosen.include_flagged,
                    "Also cheats and implausible figures");
  command->add_flag("--include-incomplete", options->chosen.include_incomplete,
                    "Also answers that are not correct, if they got further");
  command->add_flag("--include-first-attempts", options->chosen.include_first_attempts,
                    "Of answers: also correct ones to a task's first prompt");
  command->add_flag("--include-hidden", options->chosen.include_hidden,
                    "kbx, jsonl: also what hidden and final cases showed");
  add_json_option(*command, options->json);
  command->callback([options] { run_export(*options); });
}

}  // namespace ridgeline::cli
