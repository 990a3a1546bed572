#include "engine/export/export.hpp"

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <utility>

#include "engine/core/codec.hpp"
#include "engine/core/error.hpp"
#include "engine/export/formats.hpp"
#include "engine/export/redact.hpp"

namespace ridgeline::exporting {
namespace {

/// A task with the trajectories on it.
struct TaskGroup {
  store::TaskRecord task;
  std::vector<std::pair<store::CampaignRecord, store::TrajectoryRecord>> trajectories;
};

/// Groups trajectories by task name, then hash: the order of the lines.
std::map<std::pair<std::string, Hash>, TaskGroup> group_by_task(const store::Reader& reader,
                                                                const std::string& only) {
  std::map<std::pair<std::string, Hash>, TaskGroup> groups;
  bool known = only.empty();
  for (const auto& campaign : reader.campaigns()) {
    if (!only.empty() && campaign.name != only) continue;
    known = true;
    for (auto& trajectory : reader.trajectories(campaign.id)) {
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
  switch (lines.options().format) {
    case Format::trl_sft:
      return write_trl_sft(task, lines);
    case Format::trl_dpo:
      return lines.options().pairs == Pairs::siblings ? write_trl_dpo_siblings(task, lines)
                                                      : write_trl_dpo_transitions(task, lines);
    case Format::kbx:
      return write_kbx(task, lines);
    case Format::jsonl:
      return write_jsonl(task, lines);
  }
}

}  // namespace

ExportReport export_store(const store::Reader& reader, const ExportOptions& options, const LineSink& sink) {
  std::map<Split, int> by_split;
  Split current = Split::train;
  LineWriter lines(options, [&](const nlohmann::json& line) {
    ++by_split[current];
    sink(current, dump_json(line));
  });
  for (auto& [key, group] : group_by_task(reader, options.campaign)) {
    current = split_of(key.first);
    if (options.split && *options.split != current) continue;
    TaskTrajectories task{.task = group.task, .split = current, .secret = std::nullopt, .trajectories = {}};
    if (!options.include_hidden) task.secret = secret_cases(group.task.document);
    for (auto& [campaign, trajectory] : group.trajectories) {
      auto attempts = reader.attempts(trajectory.id, store::AskTexts::prompt);
      // Within a single campaign nothing is exported twice, so a branch's copied steps belong to it.
      const int copied = options.campaign.empty() ? trajectory.kept_steps : 0;
      task.trajectories.push_back({campaign, std::move(trajectory), std::move(attempts), copied});
    }
    write(task, lines);
  }
  auto report = lines.report();
  report.by_split = std::move(by_split);
  return report;
}

ExportReport export_store(const store::Reader& reader, const ExportOptions& options, std::ostream& out) {
  auto report = export_store(reader, options, [&](Split, const std::string& line) { out << line << '\n'; });
  if (!out.flush()) throw MachineCannot("the export could not be written whole: is the disk full?");
  return report;
}

ExportReport export_to_folder(const store::Reader& reader, const ExportOptions& options,
                              const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw MachineCannot("cannot make the folder " + folder + ": " + error.message());
  std::map<Split, std::ofstream> files;
  const auto path_of = [&](Split split) { return folder + "/" + std::string(to_string(split)) + ".jsonl"; };
  for (const auto& entry : enum_names(Split{}))
    if (!options.split || *options.split == entry.value)
      files[entry.value].open(path_of(entry.value) + ".part", std::ios::binary | std::ios::trunc);
  auto report = export_store(reader, options,
                             [&](Split split, const std::string& line) { files.at(split) << line << '\n'; });
  for (auto& [split, file] : files) {
    file.close();
    if (!file)
      throw MachineCannot("cannot write " + path_of(split) +
                          ".part: is the disk full, or the folder not ours?");
  }
  // Renaming replaces a file at once, so no reader sees half of it.
  for (const auto& [split, file] : files) fs::rename(path_of(split) + ".part", path_of(split));
  return report;
}

}  // namespace ridgeline::exporting
