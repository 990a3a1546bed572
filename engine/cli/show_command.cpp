// `ridgeline show`: what happened in a store: its trajectories, one of them, or one prompt as it was sent.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/campaign/selection.hpp"
#include "engine/cli/commands.hpp"
#include "engine/cli/open_store.hpp"
#include "engine/cli/options.hpp"
#include "engine/cli/printing.hpp"
#include "engine/cli/suite_document.hpp"
#include "engine/core/codec.hpp"
#include "engine/history/history_text.hpp"
#include "engine/posix/terminal.hpp"
#include "engine/store/model_name.hpp"
#include "engine/store/store.hpp"

namespace ridgeline::cli {
namespace {

using nlohmann::json;

struct ShowOptions {
  std::string store, prompt;
  std::optional<store::Id> trajectory;
  bool json = false;
};

using Summaries = std::map<store::Id, history::TrajectorySummary>;

Summaries summaries_of(const store::Reader& reader, store::Id campaign) {
  const auto briefs = reader.briefs(campaign);
  Summaries summaries;
  for (const auto& [trajectory, span] : history::by_trajectory(briefs))
    summaries.emplace(trajectory, history::summary_of(span));
  return summaries;
}

json summary_document(const store::TrajectoryRecord& trajectory, const Summaries& summaries) {
  const auto known = summaries.find(trajectory.id);
  // A trajectory that made no request yet has no summary.
  const auto summary = known == summaries.end() ? history::TrajectorySummary{} : known->second;
  return {{"trajectory", trajectory.id},
          {"task", trajectory.task_name},
          {"strategy", trajectory.strategy},
          {"model", store::model_name(trajectory)},
          {"entry", trajectory.model},
          {"seed", trajectory.seed},
          {"language", to_string(trajectory.language)},
          {"state", to_string(trajectory.state)},
          {"detail", trajectory.detail},
          {"evaluations", summary.evaluations},
          {"correct", summary.correct},
          {"speedup", summary.speedup}};
}

void show_list(const store::Reader& reader, bool as_json) {
  json campaigns = json::array();
  std::map<store::Id, std::string> names;
  for (const auto& campaign : reader.campaigns()) {
    names[campaign.id] = campaign.name;
    // A branch is newer than its origin, whose name is known by then.
    const auto origin = campaign.origin == 0 ? std::string() : names.at(campaign.origin);
    const auto trajectories = reader.trajectories(campaign.id);
    const auto summaries = summaries_of(reader, campaign.id);
    const auto suite = reader.suite_tasks(campaign.id);
    if (!as_json) {
      print_text(history::campaign_text(campaign, origin, trajectories,
                                        reader.totals_by_trajectory(campaign.id), summaries,
                                        {.columns = posix::terminal_of(STDOUT_FILENO).columns}));
      if (!suite.empty()) print_text(campaign::suite_text(suite));
      continue;
    }
    json list = json::array();
    for (const auto& trajectory : trajectories) list.push_back(summary_document(trajectory, summaries));
    campaigns.push_back({{"campaign", campaign.name},
                         {"origin", origin.empty() ? json() : json(origin)},
                         {"suite", suite_document(suite)},
                         {"trajectories", list}});
  }
  if (as_json) print_json("show", {{"campaigns", campaigns}});
}

json attempt_document(const store::AttemptRecord& attempt) {
  const auto& ask = attempt.ask;
  json document = {{"step", ask.step},
                   {"slot", ask.slot},
                   {"round", ask.round},
                   {"role", ask.role},
                   {"model", store::model_name(ask)},
                   {"entry", ask.model},
                   {"endpoint", ask.endpoint},
                   {"status", to_string(ask.status)},
                   {"detail", ask.detail},
                   {"prompt", json::parse(ask.prompt)},
                   {"feedback", json::parse(ask.feedback)},
                   {"response", ask.response_text},
                   {"change", ask.change},
                   {"candidate", ask.candidate}};
  if (attempt.cancelled) document["cancelled"] = attempt.cancelled_because;
  if (attempt.candidate) document["source"] = attempt.candidate->source;
  if (attempt.evaluation && attempt.evaluation->status == EvaluationStatus::evaluated)
    document["verdict"] = attempt.evaluation->verdict;
  return document;
}

void show_prompt(const std::vector<store::AttemptRecord>& attempts, const ShowOptions& options) {
  std::vector<std::string> addresses;
  for (const auto& attempt : attempts) {
    addresses.push_back(history::address_of(attempt.ask));
    if (addresses.back() != options.prompt) continue;
    if (options.json)
      print_json("show", {{"prompt", json::parse(attempt.ask.prompt)}});
    else
      print_text(history::prompt_text(attempt.ask));
    return;
  }
  throw BadInput("--prompt: nothing was asked at '" + options.prompt + "'" +
                 suggestion(options.prompt, addresses));
}

void show_trajectory(const store::Reader& reader, const ShowOptions& options) {
  const auto trajectory = reader.trajectory(*options.trajectory);
  if (!trajectory)
    throw BadInput("there is no trajectory " + std::to_string(*options.trajectory) + " in " + options.store +
                   "; `ridgeline show " + options.store + "` lists them");
  const auto attempts = reader.attempts(trajectory->id);
  if (!options.prompt.empty()) return show_prompt(attempts, options);
  if (options.json) {
    json list = json::array();
    for (const auto& attempt : attempts) list.push_back(attempt_document(attempt));
    return print_json("show", {{"trajectory", trajectory->id},
                               {"task", trajectory->task_name},
                               {"strategy", trajectory->strategy},
                               {"state", to_string(trajectory->state)},
                               {"attempts", list}});
  }
  print_text(history::trajectory_text(*trajectory, attempts, history::sources_in(reader)));
}

void show(const ShowOptions& options) {
  if (!options.prompt.empty() && !options.trajectory)
    throw BadInput("--prompt wants the trajectory too: ridgeline show STORE TRAJECTORY --prompt STEP.SLOT");
  const auto store = open_store_with_campaigns(options.store);
  const store::Reader reader(store);
  if (options.trajectory)
    show_trajectory(reader, options);
  else
    show_list(reader, options.json);
}

}  // namespace

void add_show_command(CLI::App& app, Exit&) {
  auto* command = app.add_subcommand("show", "What happened in a store, round by round");
  const auto options = std::make_shared<ShowOptions>();
  command->add_option("STORE", options->store, "A campaign's store")->required();
  command->add_option("TRAJECTORY", options->trajectory, "One of its trajectories (default: list them)");
  command
      ->add_option("--prompt", options->prompt,
                   "Print what was sent at this address of TRAJECTORY (to the byte with --json)")
      ->type_name("STEP.SLOT");
  add_json_option(*command, options->json);
  command->callback([options] { show(*options); });
}

}  // namespace ridgeline::cli
