#include "engine/campaign/selection.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "benchmark_tasks/suite.hpp"
#include "benchmark_tasks/suite_folder.hpp"
#include "engine/campaign/enroll.hpp"
#include "engine/core/codec.hpp"
#include "engine/store/reader.hpp"
#include "engine/store/store.hpp"
#include "engine/suites/kernelbench/import_task.hpp"
#include "engine/suites/kernelbench/oracle_settings.hpp"

namespace ridgeline::campaign {
namespace {

namespace fs = std::filesystem;

std::vector<Task> native_tasks(const CampaignConfig& config) {
  const auto& choice = config.suite;
  const auto suite = benchmark_tasks::load_native(
      choice.path.empty() ? benchmark_tasks::default_suite_folder() : fs::path(choice.path));
  auto tasks = benchmark_tasks::select(
      suite, {choice.tasks, choice.categories, choice.min_difficulty, choice.max_difficulty});
  for (auto& task : tasks) task = for_language(std::move(task), config.language, config.worker.backend);
  return tasks;
}

bool still_holds(const KnownFile& known, const Hash& text, const CampaignConfig& config) {
  const auto& [record, task] = known;
  if (record.text_hash != text || !can_be_judged(record.standing)) return false;
  if (record.standing == Standing::unchecked && config.suite.check) return false;
  return task && hash_of(*task) == record.task_hash && task->cases.at(0).backend == config.worker.backend;
}

KnownFile looked_at(const suites::kernelbench::TaskFile& file, std::string text, const CampaignConfig& config,
                    const Look& look) {
  KnownFile found;
  auto& record = found.record;
  record.file = file.full_name();
  record.name = file.identifier();
  record.category = fmt::format("level{}", file.level);
  record.text_hash = sha256(text);
  auto imported = suites::kernelbench::import_task(file, std::move(text), look(file), config.worker.backend);
  record.standing = imported.assessment.standing;
  record.reason = std::move(imported.assessment.reason);
  record.notes = std::move(imported.assessment.notes);
  if (imported.task) record.task_hash = imported.task->hash;
  found.task = std::move(imported.task);
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

}  // namespace

std::string suite_text(const std::vector<store::SuiteTaskRecord>& suite) {
  std::map<Standing, int> counts;
  std::string lines;
  for (const auto& one : suite) {
    ++counts[one.standing];
    if (!one.reason.empty())
      lines += fmt::format("  {} {}{}: {}\n", one.file, to_string(one.standing),
                           can_be_judged(one.standing) ? "" : ", not asked", one.reason);
    for (const auto& note : one.notes) lines += fmt::format("  {} note: {}\n", one.file, note);
  }
  std::string counted;
  for (const auto& [standing, count] : counts)
    counted += fmt::format("{}{} {}", counted.empty() ? "" : ", ", count, to_string(standing));
  return fmt::format("suite: {} files: {}\n{}", suite.size(), counted, lines);
}

Selection import_suite(const CampaignConfig& config, const KnownFiles& known, const Look& look,
                       const Log& log) {
  const auto files = suites::kernelbench::select(
      suites::kernelbench::open_clone(config.suite.kernelbench, config.suite.levels), config.suite.tasks);
  Selection selection;
  for (const auto& file : files) {
    auto text = suites::kernelbench::read_text(file).text;
    const auto before = known.find(file.full_name());
    const bool kept = before != known.end() && still_holds(before->second, sha256(text), config);
    auto one = kept ? before->second : looked_at(file, std::move(text), config, look);
    if (!kept)
      log(fmt::format("{} of {}: {} {}{}{}", selection.suite.size() + 1, files.size(), one.record.file,
                      to_string(one.record.standing), one.record.reason.empty() ? "" : ": ",
                      one.record.reason));
    if (one.task) selection.tasks.push_back(std::move(*one.task));
    selection.suite.push_back(std::move(one.record));
  }
  return selection;
}

std::string looking_device(const WorkerChoice& worker) {
  return worker.backend == "cuda" && worker.mailbox.empty() ? "cuda:0" : "cpu";
}

Selection select_tasks(const CampaignConfig& config, const Log& log) {
  if (config.suite.kernelbench.empty()) return {native_tasks(config), {}};
  oracle::OracleProcess oracle(suites::kernelbench::oracle_settings(looking_device(config.worker)));
  const auto look = [&](const suites::kernelbench::TaskFile& file) {
    return config.suite.check ? suites::kernelbench::check_file(oracle, file, config.suite.timeout)
                              : suites::kernelbench::describe_file(oracle, file, config.suite.timeout);
  };
  return import_suite(config, known_files(config), look, log);
}

}  // namespace ridgeline::campaign
