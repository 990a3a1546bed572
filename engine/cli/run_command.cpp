#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "engine/campaign/config_reader.hpp"
#include "engine/campaign/run.hpp"
#include "engine/campaign/terminal_progress.hpp"
#include "engine/cli/commands.hpp"
#include "engine/compare/compare.hpp"
#include "engine/compare/report.hpp"
#include "engine/compare/table.hpp"
#include "engine/core/error.hpp"
#include "engine/store/reader.hpp"
#include "engine/store/store.hpp"

namespace ridgeline::cli {
namespace {

struct RunArguments {
  std::string config;
  std::string store;
  std::vector<std::string> overrides;
  bool plan = false;
  bool until_waiting = false;
  bool json = false;
};

nlohmann::json plan_document(const campaign::Plan& plan, const campaign::CampaignConfig& config) {
  nlohmann::json document{{"schema", 1},
                          {"campaign", config.name},
                          {"trajectories", plan.trajectories.size()},
                          {"calls", plan.bound.calls},
                          {"evaluations", plan.bound.evaluations},
                          {"output_tokens", plan.bound.output_tokens}};
  document["usd"] = plan.bound.usd ? nlohmann::json(*plan.bound.usd) : nlohmann::json();
  for (const auto& task : plan.tasks) document["tasks"].push_back(task.name);
  return document;
}

/// The comparison of strategies, the report's path and the export's command: what a user wants to see next.
void close(const campaign::CampaignConfig& config) {
  const auto store = store::Store::open(config.store, store::OpenMode::read_only);
  const store::Reader reader(store);
  const auto comparison =
      compare::compare(std::vector<const store::Reader*>{&reader}, compare::CompareOptions{});
  std::fputs(compare::terminal_table(comparison).c_str(), stdout);
  auto report = config.store;
  if (report.ends_with(".db")) report.resize(report.size() - 3);
  report += ".html";
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(report.c_str(), "w"), &std::fclose);
  if (!file)
    throw MachineCannot(fmt::format("the report cannot be written to {}: is the folder writable?", report));
  std::fputs(compare::html_report(comparison).c_str(), file.get());
  fmt::print("report: {}\n", report);
  fmt::print("training pairs: ridgeline export {} --format trl-sft --out {}\n", config.store, "pairs.jsonl");
}

int run(const RunArguments& arguments) {
  auto config = campaign::read_campaign(arguments.config, arguments.overrides);
  if (!arguments.store.empty()) config.store = arguments.store;
  const auto plan = campaign::make_plan(config, campaign::load_tasks(config));
  if (arguments.plan) {
    const auto page =
        arguments.json ? plan_document(plan, config).dump(2) + "\n" : campaign::describe(plan, config);
    std::fputs(page.c_str(), stdout);
    return 0;
  }
  campaign::RunOptions options;
  options.until_waiting = arguments.until_waiting;
  options.log = [](const std::string& line) { std::fprintf(stderr, "%s\n", line.c_str()); };
  auto end = campaign::RunEnd::finished;
  {
    campaign::TerminalProgress progress(stderr);
    end = campaign::run_campaign(config, plan, progress, options);
  }
  if (end == campaign::RunEnd::finished) {
    close(config);
    return 0;
  }
  const auto* why = end == campaign::RunEnd::waiting ? "waiting for answers in mailboxes" : "interrupted";
  std::fprintf(stderr, "%s; everything so far is in %s. Go on with: ridgeline run %s\n", why,
               config.store.c_str(), arguments.config.c_str());
  return 130;
}

}  // namespace

void add_run_command(CLI::App& app, Exit& exit) {
  auto arguments = std::make_shared<RunArguments>();
  auto* command = app.add_subcommand("run", "Run or resume a campaign");
  command->add_option("config", arguments->config, "Campaign file (YAML)")->required();
  command->add_option("--store", arguments->store, "SQLite file; by default the campaign's own");
  command->add_option("--set", arguments->overrides, "Override a key of the file, as a.b=value")
      ->take_all()
      ->expected(1);
  command->add_flag("--plan", arguments->plan,
                    "Print what would be done and its upper bounds, and do nothing");
  command->add_flag("--until-waiting", arguments->until_waiting,
                    "Stop when nothing but mailboxes can bring it further");
  command->add_flag("--json", arguments->json, "One JSON document on stdout");
  command->callback([arguments, &exit] { exit.code = run(*arguments); });
}

}  // namespace ridgeline::cli
