// `ridgeline compare`: strategies at equal budget, over one store or several.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>

#include "engine/cli/commands.hpp"
#include "engine/cli/open_store.hpp"
#include "engine/cli/options.hpp"
#include "engine/cli/printing.hpp"
#include "engine/cli/replace_file.hpp"
#include "engine/cli/write_csv.hpp"
#include "engine/compare/compare.hpp"
#include "engine/compare/json.hpp"
#include "engine/compare/table.hpp"
#include "engine/posix/terminal.hpp"
#include "engine/report/report.hpp"
#include "engine/store/reader.hpp"
#include "engine/store/store.hpp"

namespace ridgeline::cli {
namespace {

enum class Score { best, last };
constexpr auto enum_names(Score) {
  return std::to_array<Name<Score>>({{Score::best, "best"}, {Score::last, "last"}});
}

struct CompareOptions {
  std::vector<std::string> stores, against, group_by;
  std::string score = "best", html, csv;
  compare::CompareOptions chosen;
  bool across_devices = false, code = false, json = false;
};

/// Holds readers together with their stores, which must outlive them.
struct OpenStores {
  std::vector<store::Store> stores;
  std::vector<store::Reader> readers;
};

OpenStores open_all(const std::vector<std::string>& paths) {
  OpenStores opened;
  // All stores first: a reader refers to its store, which must not move any more.
  for (const auto& path : paths) opened.stores.push_back(open_store_with_campaigns(path));
  for (const auto& store : opened.stores) opened.readers.emplace_back(store);
  return opened;
}

std::vector<const store::Reader*> pointers_to(const std::vector<store::Reader>& readers) {
  std::vector<const store::Reader*> pointers;
  for (const auto& reader : readers) pointers.push_back(&reader);
  return pointers;
}

std::vector<report::Source> sources_of(const std::vector<std::string>& paths, const OpenStores& opened) {
  std::vector<report::Source> sources;
  for (std::size_t i = 0; i < paths.size(); ++i) sources.push_back({paths[i], &opened.readers[i]});
  return sources;
}

void print_tables(const compare::Comparison& comparison, bool across_devices) {
  const auto terminal = posix::terminal_of(STDOUT_FILENO);
  std::cout << compare::terminal_table(comparison, terminal);
  if (across_devices) std::cout << compare::across_devices_table(comparison, terminal);
}

void run_compare(CompareOptions& options) {
  options.chosen.score_last = enumerator<Score>(options.score, "--score") == Score::last;
  if (!options.group_by.empty()) {
    options.chosen.group_by.clear();
    for (const auto& part : options.group_by)
      options.chosen.group_by.push_back(enumerator<compare::Part>(part, "--group-by"));
  }
  const auto opened = open_all(options.stores), before = open_all(options.against);
  auto comparison =
      compare::compare(pointers_to(opened.readers), options.chosen, pointers_to(before.readers));
  if (options.code) {
    auto readers = pointers_to(opened.readers);
    for (const auto* reader : pointers_to(before.readers)) readers.push_back(reader);
    compare::add_code_rows(comparison, readers);
  }
  if (!options.csv.empty()) {
    write_csv(options.csv, compare::to_json(comparison));
    std::cerr << "tables: " << options.csv << '\n';
  }
  if (!options.html.empty()) {
    auto sources = sources_of(options.stores, opened);
    for (auto& source : sources_of(options.against, before)) sources.push_back(std::move(source));
    replace_file(options.html, [&](std::ostream& file) { file << report::html_report(comparison, sources); });
    std::cerr << "report: " << options.html << '\n';
  }
  if (options.json)
    print_json("compare", {{"comparison", compare::to_json(comparison)}});
  else
    print_tables(comparison, options.across_devices);
}

}  // namespace

void add_compare_command(CLI::App& app, Exit&) {
  auto* command = app.add_subcommand("compare", "Strategies at equal budget");
  const auto options = std::make_shared<CompareOptions>();
  command->add_option("STORE", options->stores, "Campaigns' stores")->required();
  command->add_option("--calls", options->chosen.calls,
                      "Cut every trajectory at N calls, critics counted (default: the most any used)");
  command->add_option("--tokens", options->chosen.tokens, "… at N tokens, input plus output");
  command->add_option("--usd", options->chosen.usd, "… at this much money");
  command->add_option("--evaluations", options->chosen.evaluations, "… at N evaluations");
  command->add_option("--wall-seconds", options->chosen.wall_seconds,
                      "… at N seconds with a request or an evaluation under way");
  command->add_option("--gpu-seconds", options->chosen.gpu_seconds,
                      "… at N seconds of the judge's device, builds not counted");
  command
      ->add_option("--group-by", options->group_by,
                   "Parts in which trajectories of a row are equal: strategy, settings, models, language, "
                   "prompts, evaluation, budget, campaign (default: all but the campaign's name)")
      ->delimiter(',')
      ->type_name("PART,...");
  command
      ->add_option("--against", options->against,
                   "A store of before a change: each strategy is compared with itself before it")
      ->type_name("STORE");
  command->add_option("--score", options->score,
                      "Which candidate of a trajectory counts: best, or last (as in papers)");
  command->add_flag("--include-flagged", options->chosen.include_flagged,
                    "Also count speed-ups whose figures are flagged (default: correct, and not timed)");
  command->add_flag("--across-devices", options->across_devices,
                    "Also list each kernel that was timed on several devices");
  command->add_flag(
      "--code", options->code,
      "Also measure maintainability and complexity of kernels: of Python by radon, in the Python "
      "that RIDGELINE_PYTHON names");
  command
      ->add_option("--csv", options->csv,
                   "Also write all figures there, a file a table, with the names that --json has")
      ->type_name("FOLDER");
  command->add_option("--html", options->html, "Also write the report there")->type_name("FILE");
  add_json_option(*command, options->json);
  command->callback([options] { run_compare(*options); });
}

}  // namespace ridgeline::cli
