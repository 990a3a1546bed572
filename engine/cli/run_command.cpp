// `ridgeline run`: runs or resumes a campaign, and ends with what its user wants to see next.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/campaign/config_reader.hpp"
#include "engine/campaign/preflight.hpp"
#include "engine/campaign/run.hpp"
#include "engine/campaign/terminal_progress.hpp"
#include "engine/cli/commands.hpp"
#include "engine/cli/interrupted.hpp"
#include "engine/cli/options.hpp"
#include "engine/cli/printing.hpp"
#include "engine/cli/re_evaluation.hpp"
#include "engine/cli/replace_file.hpp"
#include "engine/cli/suite_document.hpp"
#include "engine/compare/compare.hpp"
#include "engine/compare/json.hpp"
#include "engine/compare/table.hpp"
#include "engine/core/error.hpp"
#include "engine/core/shell_word.hpp"
#include "engine/posix/terminal.hpp"
#include "engine/report/report.hpp"
#include "engine/store/reader.hpp"
#include "engine/store/store.hpp"

namespace ridgeline::cli {
namespace {

struct RunOptions {
  std::string config, store, re_evaluate;
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

/// The folder that the printed command exports to.
std::string data_beside(std::string store) {
  if (store.ends_with(".db")) store.resize(store.size() - 3);
  return store + "-trl-kto";
}

/// The folder of the answers that are judged again.
std::string answers_beside(std::string store) {
  if (store.ends_with(".db")) store.resize(store.size() - 3);
  return store + "-answers";
}

/// Prints the comparison of strategies, the report's path and a command that exports training data.
void conclude(const campaign::CampaignConfig& config, bool as_json) {
  const auto store = store::Store::open(config.store, store::OpenMode::read_only);
  const store::Reader reader(store);
  const auto comparison =
      compare::compare(std::vector<const store::Reader*>{&reader}, compare::CompareOptions{});
  const auto page = report_beside(config.store);
  replace_file(
      page, [&](std::ostream& file) { file << report::html_report(comparison, {{config.store, &reader}}); });
  if (as_json)
    return print_json("run", {{"campaign", config.name},
                              {"store", config.store},
                              {"report", page},
                              {"comparison", compare::to_json(comparison)}});
  std::cout << compare::terminal_table(comparison, posix::terminal_of(STDOUT_FILENO))
            << fmt::format("report: {}\ntraining data: ridgeline export {} --format trl-kto --out {}\n", page,
                           shell_word(config.store), shell_word(data_beside(config.store)))
            << std::flush;
}

/// Returns the doubled value of a cap that was reached, "" if there is none. The printed command raises the
/// cap, since somebody must grant more before the campaign can go on.
std::string raised(const campaign::Budget& cap, const std::string& key) {
  if (key == "usd" && cap.usd) return fmt::format("{}", *cap.usd * 2);
  if (key == "tokens" && cap.tokens) return std::to_string(*cap.tokens * 2);
  if (key == "calls" && cap.calls) return std::to_string(*cap.calls * 2);
  if (key == "evaluations" && cap.evaluations) return std::to_string(*cap.evaluations * 2);
  if (key == "wall_seconds" && cap.wall_seconds) return fmt::format("{}", *cap.wall_seconds * 2);
  return {};
}

/// Returns the command that goes on with the campaign. It has no `--fork`: the branch is made, and the
/// campaign's name stands for its newest branch.
std::string command_to_go_on(const RunOptions& options, const campaign::CampaignConfig& config,
                             const std::string& capped) {
  std::string command = "ridgeline run " + shell_word(options.config);
  if (!options.store.empty()) command += " --store " + shell_word(options.store);
  const auto key = "budget.total." + capped + "=";
  // An override of the cap itself is left out: the raised value takes its place.
  for (const auto& override : options.overrides)
    if (capped.empty() || !override.starts_with(key)) command += " --set " + shell_word(override);
  if (const auto value = raised(config.total, capped); !value.empty())
    command += " --set " + shell_word(key + value);
  if (!options.re_evaluate.empty()) command += " --re-evaluate " + shell_word(options.re_evaluate);
  if (options.until_waiting) command += " --until-waiting";
  return command;
}

[[noreturn]] void throw_stopped_early(const RunOptions& options, const campaign::CampaignConfig& config,
                                      const campaign::RunResult& result) {
  const auto go_on = fmt::format("everything so far is in {}. Go on with: {}", config.store,
                                 command_to_go_on(options, config, result.pause.capped));
  switch (result.end) {
    case campaign::RunEnd::paused:
      throw Paused(fmt::format("paused: {}; {}", result.pause.reason, go_on));
    case campaign::RunEnd::waiting:
      throw Interrupted("waiting for answers in mailboxes; " + go_on);
    case campaign::RunEnd::finished:
    case campaign::RunEnd::interrupted:
      break;
  }
  throw Interrupted("interrupted; " + go_on);
}

/// The folder of the answers that are judged again. A plan leaves nothing behind, so its own is temporary.
class AnswersFolder {
 public:
  AnswersFolder(const std::string& store, bool temporary)
      : temporary_(temporary), path_(answers_beside(store)) {
    if (!temporary) return;
    path_ = (std::filesystem::temp_directory_path() / "ridgeline-answers-XXXXXX").string();
    if (::mkdtemp(path_.data()) == nullptr)
      throw MachineCannot("the folder " + path_ + " for the answers of --re-evaluate cannot be made: " +
                          std::strerror(errno) + "; name another place in TMPDIR");
  }
  AnswersFolder(const AnswersFolder&) = delete;  // a copy would remove it twice
  AnswersFolder& operator=(const AnswersFolder&) = delete;
  ~AnswersFolder() {
    std::error_code ignored;
    if (temporary_) std::filesystem::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

 private:
  bool temporary_;
  std::string path_;
};

void plan_or_run(const RunOptions& options) {
  auto config = campaign::read_campaign(options.config, options.overrides);
  if (!options.store.empty()) config.store = options.store;
  std::optional<AnswersFolder> answers;
  if (!options.re_evaluate.empty())
    let_store_answer(config, options.re_evaluate, answers.emplace(config.store, options.plan).path());
  const auto log = [](const std::string& line) { std::cerr << line << '\n'; };
  const auto plan = campaign::make_plan(config, campaign::select_tasks(config, log));
  if (options.plan) {
    campaign::check_before_spending(config, plan.tasks, log);
    if (options.json) return print_json("run", plan_document(plan, config));
    std::cout << campaign::describe(plan, config) << std::flush;
    return;
  }
  campaign::RunOptions running;
  running.until_waiting = options.until_waiting;
  running.fork = options.fork;
  running.log = log;
  campaign::RunResult result;
  {
    // Gone before anything is printed below: its destructor clears the status line.
    const auto seconds = [] {
      return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
    };
    campaign::TerminalProgress progress(stderr, posix::terminal_of(STDERR_FILENO),
                                        plan.bound.calls + plan.bound.evaluations, seconds);
    result = campaign::run_campaign(config, plan, progress, running);
  }
  if (result.end == campaign::RunEnd::finished) return conclude(config, options.json);
  throw_stopped_early(options, config, result);
}

}  // namespace

void add_run_command(CLI::App& app) {
  auto* command = app.add_subcommand("run", "Run or resume a campaign");
  const auto options = std::make_shared<RunOptions>();
  command->add_option("CONFIG", options->config, "Campaign file (YAML)")->required();
  command->add_option("--store", options->store, "SQLite file (default: the campaign's own)")
      ->type_name("FILE");
  command
      ->add_option(
          "--re-evaluate", options->re_evaluate,
          "Judge the candidates of this store again, into another one: its answers stand for those of "
          "the models, none is asked")
      ->type_name("STORE");
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
