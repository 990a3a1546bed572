#include "engine/campaign/selection.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "engine/campaign/enroll.hpp"
#include "engine/core/codec.hpp"
#include "engine/store/reader.hpp"
#include "engine/store/store.hpp"

namespace ridgeline::campaign {
namespace {

namespace fs = std::filesystem;

/// Reads the suite's tasks for the campaign's language and backend. A case that names no backend gets the
/// campaign's.
std::vector<Task> listed_tasks(const CampaignConfig& config) {
  const auto& backend = config.worker.backend;
  std::vector<Task> tasks;
  for (const auto& listed : config.suite->list())
    tasks.push_back(for_language(*config.suite->describe(listed.name, backend), config.language, backend));
  return tasks;
}

/// Returns whether an earlier run's finding still applies to a file with the hash `text`.
bool is_still_valid(const KnownFile& known, const Hash& text, const CampaignConfig& config) {
  const auto& [record, task] = known;
  if (record.text_hash != text || !can_be_judged(record.standing)) return false;
  if (record.standing == Standing::unchecked && !config.suite->only_describes()) return false;
  // A newer Ridgeline may hash the stored task otherwise, and a CPU's sizes are not a GPU's: examine it
  // again.
  return task && hash_of(*task) == record.task_hash && task->cases.at(0).backend == config.worker.backend;
}

KnownFile examine_file(const suites::ListedTask& listed, const std::string& text,
                       const CampaignConfig& config) {
  auto finding =
      config.suite->examine(listed, text, {config.worker.backend, examining_device(config.worker)});
  KnownFile found;
  auto& record = found.record;
  record.file = listed.file;
  record.name = listed.name;
  record.category = listed.category;
  record.text_hash = sha256(text);
  record.standing = finding.standing;
  record.reason = std::move(finding.reason);
  record.notes = std::move(finding.notes);
  if (finding.task) record.task_hash = finding.task->hash;
  found.task = std::move(finding.task);
  return found;
}

KnownFiles known_files(const CampaignConfig& config) {
  if (!fs::exists(config.store)) return {};
  const auto store = store::Store::open(config.store, store::OpenMode::read_only);
  const store::Reader reader(store);
  const auto campaign = newest_branch(reader, config.name);
  KnownFiles known;
  if (!campaign) return known;
  for (auto& record : reader.suite_tasks(campaign->id)) {
    const auto kept = reader.task(record.task_hash);
    auto task = kept ? std::optional(nlohmann::json::parse(kept->document).get<Task>()) : std::nullopt;
    const auto file = record.file;
    known.emplace(file, KnownFile{std::move(record), std::move(task)});
  }
  return known;
}

/// Ends a suite's processes when its tasks have been examined, also where that threw.
struct EndProcesses {
  suites::Suite& suite;
  ~EndProcesses() { suite.end_processes(); }
};

}  // namespace

std::string suite_text(const std::vector<store::SuiteTaskRecord>& suite) {
  std::map<Standing, int> counts;
  std::string lines;
  for (const auto& file : suite) {
    ++counts[file.standing];
    if (!file.reason.empty())
      lines += fmt::format("  {} {}{}: {}\n", file.file, to_string(file.standing),
                           can_be_judged(file.standing) ? "" : ", not asked", file.reason);
    for (const auto& note : file.notes) lines += fmt::format("  {} note: {}\n", file.file, note);
  }
  std::string counted;
  for (const auto& [standing, count] : counts)
    counted += fmt::format("{}{} {}", counted.empty() ? "" : ", ", count, to_string(standing));
  return fmt::format("suite: {} files: {}\n{}", suite.size(), counted, lines);
}

Selection examine_suite(const CampaignConfig& config, const KnownFiles& known, const Log& log) {
  const auto files = config.suite->list();
  Selection selection;
  const EndProcesses at_end{*config.suite};
  for (const auto& listed : files) {
    const auto text = config.suite->text(listed);
    const auto before = known.find(listed.file);
    const bool kept = before != known.end() && is_still_valid(before->second, sha256(text), config);
    auto file = kept ? before->second : examine_file(listed, text, config);
    if (!kept)
      log(fmt::format("{} of {}: {} {}{}{}", selection.suite.size() + 1, files.size(), file.record.file,
                      to_string(file.record.standing), file.record.reason.empty() ? "" : ": ",
                      file.record.reason));
    if (file.task) selection.tasks.push_back(std::move(*file.task));
    selection.suite.push_back(std::move(file.record));
  }
  return selection;
}

std::string examining_device(const WorkerChoice& worker) {
  return worker.backend == "cuda" && worker.mailbox.empty() ? "cuda:0" : "cpu";
}

Selection select_tasks(const CampaignConfig& config, const Log& log) {
  if (config.suite->proof() != suites::Proof::suite) return {listed_tasks(config), {}};
  return examine_suite(config, known_files(config), log);
}

}  // namespace ridgeline::campaign
