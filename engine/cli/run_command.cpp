// `ridgeline run`: runs or resumes a campaign, and ends with what its user wants to see next.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "engine/campaign/config_reader.hpp"
#include "engine/campaign/run.hpp"
#include "engine/campaign/terminal_progress.hpp"
#include "engine/cli/commands.hpp"
#include "engine/cli/interrupted.hpp"
#include "engine/cli/options.hpp"
#include "engine/cli/printing.hpp"
#include "engine/cli/suite_document.hpp"
#include "engine/cli/whole_file.hpp"
#include "engine/compare/compare.hpp"
#include "engine/compare/json.hpp"
#include "engine/compare/report.hpp"
#include "engine/compare/table.hpp"
#include "engine/store/reader.hpp"
#include "engine/store/store.hpp"

namespace ridgeline::cli {
namespace {

struct RunOptions {
  std::string config, store;
  std::vector<std::string> overrides;
  bool plan = false, until_waiting = false, fork = false, json = false;
};

nlohmann::json plan_document(const campaign::Plan& plan, const campaign::CampaignConfig& config) {
  nlohmann::json document{{"campaign", config.name},
                          {"trajectories", plan.trajectories.size()},
                          {"calls", plan.bound.calls},
                          {"evaluations", plan.bound.evaluations},
                          {"output_tokens", plan.bound.output_tokens},
                          {"tasks", nlohmann::json::array()}};
  document["usd"] = plan.bound.usd ? nlohmann::json(*plan.bound.usd) : nlohmann::json();
  for (const auto& task : plan.tasks) document["tasks"].push_back(task.name);
  if (!plan.suite.empty()) document["suite"] = suite_document(plan.suite);
  return document;
}

std::string report_beside(std::string store) {
  if (store.ends_with(".db")) store.resize(store.size() - 3);
  return store + ".html";
}

/// The comparison of strategies, the report's path and the export's command.
void conclude(const campaign::CampaignConfig& config, bool as_json) {
  const auto store = store::Store::open(config.store, store::OpenMode::read_only);
  const store::Reader reader(store);
  const auto comparison =
      compare::compare(std::vector<const store::Reader*>{&reader}, compare::CompareOptions{});
  const auto report = report_beside(config.store);
  replace_file(report, [&](std::ostream& file) { file << compare::html_report(comparison); });
  if (as_json)
    return print_json("run", {{"campaign", config.name},
                              {"store", config.store},
                              {"report", report},
                              {"comparison", compare::to_json(comparison)}});
  std::cout << compare::terminal_table(comparison)
            << fmt::format(
                   "report: {}\ntraining pairs: ridgeline export {} --format trl-sft --out pairs.jsonl\n",
                   report, config.store)
            << std::flush;
}

void plan_or_run(const RunOptions& options) {
  auto config = campaign::read_campaign(options.config, options.overrides);
  if (!options.store.empty()) config.store = options.store;
  const auto log = [](const std::string& line) { std::cerr << line << '\n'; };
  const auto plan = campaign::make_plan(config, campaign::select_tasks(config, log));
  if (options.plan) {
    if (options.json) return print_json("run", plan_document(plan, config));
    std::cout << campaign::describe(plan, config) << std::flush;
    return;
  }
  campaign::RunOptions running;
  running.until_waiting = options.until_waiting;
  running.fork = options.fork;
  running.log = log;
  auto end = campaign::RunEnd::finished;
  {
    campaign::TerminalProgress progress(stderr);
    end = campaign::run_campaign(config, plan, progress, running);
  }
  if (end == campaign::RunEnd::finished) return conclude(config, options.json);
  throw Interrupted(
      fmt::format("{}; everything so far is in {}. Go on with: ridgeline run {}",
                  end == campaign::RunEnd::waiting ? "waiting for answers in mailboxes" : "interrupted",
                  config.store, options.config));
}

}  // namespace

void add_run_command(CLI::App& app) {
  auto* command = app.add_subcommand("run", "Run or resume a campaign");
  const auto options = std::make_shared<RunOptions>();
  command->add_option("CONFIG", options->config, "Campaign file (YAML)")->required();
  command->add_option("--store", options->store, "SQLite file (default: the campaign's own)")
      ->type_name("FILE");
  command->add_option("--set", options->overrides, "Override a key of the file, as a.b=value")
      ->take_all()
      ->expected(1);
  command->add_flag("--plan", options->plan, "Print what would be done and its upper bounds, and do nothing");
  command->add_flag("--until-waiting", options->until_waiting,
                    "Stop when nothing but mailboxes can bring it further");
  command->add_flag("--fork", options->fork,
                    "Where recorded requests no longer match, start a branch that keeps the steps before");
  add_json_option(*command, options->json);
  command->callback([options] { plan_or_run(*options); });
}

}  // namespace ridgeline::cli
