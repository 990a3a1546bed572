#include "engine/export/export.hpp"

#include <functional>
#include <future>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>
#include <utility>
#include <vector>

#include "engine/core/codec.hpp"
#include "engine/core/error.hpp"
#include "engine/export/formats.hpp"
#include "engine/export/redact.hpp"
#include "engine/store/model_name.hpp"

namespace ridgeline::exporting {
namespace {

/// A task with the trajectories on it.
struct TaskGroup {
  store::TaskRecord task;
  Split split = Split::train;
  std::vector<std::pair<store::CampaignRecord, store::TrajectoryRecord>> trajectories;
};

/// Groups trajectories by task name, then hash: the order of the lines.
std::map<std::pair<std::string, Hash>, TaskGroup> group_by_task(const store::Reader& reader,
                                                                const ExportOptions& options) {
  const auto& only = options.campaign;
  std::map<std::pair<std::string, Hash>, TaskGroup> groups;
  bool known = only.empty();
  for (const auto& campaign : reader.campaigns()) {
    if (!only.empty() && campaign.name != only) continue;
    known = true;
    for (auto& trajectory : reader.trajectories(campaign.id)) {
      if (!options.strategy.empty() && trajectory.strategy != options.strategy) continue;
      if (!options.model.empty() && trajectory.model != options.model) continue;
      const std::pair key(trajectory.task_name, trajectory.task_hash);
      groups[key].trajectories.emplace_back(campaign, std::move(trajectory));
    }
  }
  if (!known)
    throw BadInput("the store holds no campaign named '" + only + "': `ridgeline show STORE` lists them");
  for (auto& task : reader.tasks()) {
    const auto group = groups.find({task.name, task.hash});
    if (group != groups.end()) group->second.task = std::move(task);
  }
  return groups;
}

void write(const TaskTrajectories& task, LineWriter& lines) {
  const auto& options = lines.options();
  switch (options.format) {
    case Format::trl_messages:
    case Format::openai_sft:
    case Format::sharegpt:
      return options.turns == Turns::one ? write_answers(task, lines) : write_conversations(task, lines);
    case Format::trl_sft:
      return write_answers(task, lines);
    case Format::trl_dpo:
    case Format::openai_dpo:
    case Format::sharegpt_dpo:
      return options.pairs == Pairs::siblings ? write_siblings(task, lines)
                                              : write_before_and_after(task, lines);
    case Format::trl_kto:
    case Format::sharegpt_kto:
      return write_labels(task, lines);
    case Format::trl_grpo:
    case Format::verl:
      return write_prompts(task, lines);
    case Format::atif:
      return write_atif(task, lines);
    case Format::kbx:
      return options.strict ? write_kbx_strict(task, lines) : write_kbx(task, lines);
    case Format::kbx_predictions:
      return write_kbx_predictions(task, lines);
    case Format::jsonl:
      return write_jsonl(task, lines);
  }
}

/// The tasks that are exported, in the order of the lines.
std::vector<TaskGroup> selected_groups(const store::Reader& reader, const ExportOptions& options) {
  std::vector<TaskGroup> selected;
  for (auto& [key, group] : group_by_task(reader, options)) {
    group.split = split_by(options.split_by, key.first, group.task.category);
    if (!options.split || *options.split == group.split) selected.push_back(std::move(group));
  }
  return selected;
}

/// KernelBench-X's scripts score one method: a file that mixes two would say nothing of either. Throws
/// BadInput that names what there is.
void require_one_method(const std::vector<TaskGroup>& groups) {
  std::set<std::string> methods;
  for (const auto& group : groups)
    for (const auto& [campaign, trajectory] : group.trajectories)
      methods.insert("--campaign " + campaign.name + " --strategy " + trajectory.strategy + " --model " +
                     trajectory.model);
  if (methods.size() < 2) return;
  std::string text =
      "kbx-predictions holds one answer a task, of one method, and here are several; choose one:";
  for (const auto& method : methods) text += "\n  " + method;
  throw BadInput(text);
}

/// Reads all attempts of the group's trajectories, which it takes.
TaskTrajectories read_task(const store::Reader& reader, const ExportOptions& options, TaskGroup& group) {
  TaskTrajectories task{.task = group.task, .split = group.split, .secret = std::nullopt, .trajectories = {}};
  if (!options.include_hidden) task.secret = secret_cases(group.task.document);
  for (auto& [campaign, trajectory] : group.trajectories) {
    auto attempts = reader.attempts(trajectory.id, store::AskTexts::prompt);
    // Within a single campaign nothing is exported twice, so a branch's copied steps belong to it.
    const int copied = options.campaign.empty() ? trajectory.kept_steps : 0;
    task.trajectories.push_back({campaign, std::move(trajectory), std::move(attempts), copied});
  }
  return task;
}

/// Adds what a card says of the task: campaigns, models by id, devices.
void note_sources(const TaskTrajectories& task, ExportReport& report) {
  ++report.tasks;
  report.categories.insert(task.task.category);
  for (const auto& trajectory : task.trajectories) {
    report.campaigns.insert(trajectory.campaign.name);
    for (const auto& attempt : trajectory.attempts) {
      if (!attempt.ask.response_text.empty()) report.models.insert(store::model_name(attempt.ask));
      if (was_evaluated(attempt) && !attempt.evaluation->verdict.device.empty())
        report.devices.insert(attempt.evaluation->verdict.device);
    }
  }
}

}  // namespace

ExportReport export_store(const store::Reader& reader, const ExportOptions& options, const LineSink& sink) {
  std::map<Split, int> by_split;
  ExportReport sources;
  Split current = Split::train;
  LineWriter lines(options, [&](const nlohmann::json& line) {
    ++by_split[current];
    sink(current, dump_json(line));
  });
  auto groups = selected_groups(reader, options);
  if (options.format == Format::kbx_predictions) require_one_method(groups);
  // A second thread reads the next task while this one writes lines. Only one thread uses the reader at a
  // time: the store opens connections that allow that.
  auto read_next = [&, next = groups.begin()]() mutable {
    return next == groups.end() ? std::future<TaskTrajectories>()
                                : std::async(std::launch::async, read_task, std::cref(reader),
                                             std::cref(options), std::ref(*next++));
  };
  for (auto reading = read_next(); reading.valid();) {
    const auto task = reading.get();
    reading = read_next();
    current = task.split;
    note_sources(task, sources);
    write(task, lines);
  }
  auto report = lines.report();
  report.campaigns = std::move(sources.campaigns);
  report.models = std::move(sources.models);
  report.devices = std::move(sources.devices);
  report.categories = std::move(sources.categories);
  report.tasks = sources.tasks;
  report.by_split = std::move(by_split);
  return report;
}

ExportReport export_store(const store::Reader& reader, const ExportOptions& options, std::ostream& out) {
  auto report = export_store(reader, options, [&](Split, const std::string& line) { out << line << '\n'; });
  if (!out.flush()) throw MachineCannot("the export could not be written whole: is the disk full?");
  return report;
}

}  // namespace ridgeline::exporting
