#include "engine/suites/kernelbenchx/clone.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "benchmark_tasks/suite.hpp"
#include "engine/core/error.hpp"
#include "engine/core/nearest.hpp"
#include "engine/suites/kernelbenchx/metadata.hpp"

namespace ridgeline::suites::kernelbenchx {
namespace fs = std::filesystem;
namespace {

constexpr const char* kMetadata = "kernelbenchx_v1.json";
constexpr const char* kTasks = "kernelbenchx";

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw BadInput(path.string() + ": cannot be read");
  return text.str();
}

TaskFile read_task(const fs::path& tasks, const std::string& file) {
  const fs::path relative(file);
  TaskFile task{file, relative.parent_path().string(), relative.stem().string(), tasks / relative, {}, "",
                {}};
  auto parts = split_at_separator(text_of(task.path));
  if (!parts)
    throw BadInput(
        fmt::format("{}: has not exactly one line of {} '#' between reference and test; take the "
                    "file as it is in a clone of BonnieW05/KernelBenchX",
                    task.path.string(), separator_length));
  task.parts = std::move(*parts);
  task.entry = entry_of(task.parts, task.name);
  return task;
}

/// Returns every <Category>/<name>.py below `tasks`, sorted.
std::set<std::string> files_below(const fs::path& tasks) {
  std::set<std::string> files;
  for (const auto& category : fs::directory_iterator(tasks)) {
    if (!category.is_directory()) continue;
    for (const auto& entry : fs::directory_iterator(category.path()))
      if (entry.is_regular_file() && entry.path().extension() == ".py" &&
          !entry.path().filename().string().starts_with("__"))
        files.insert((category.path().filename() / entry.path().filename()).string());
  }
  return files;
}

/// The forms in which submissions, tables and people name a task.
bool means(const std::string& name, const TaskFile& task) {
  for (const auto& form : {task.full_name(), task.file, task.name})
    if (benchmark_tasks::matches_glob(name, form)) return true;
  return false;
}

}  // namespace

Clone open_clone(const fs::path& folder) {
  const auto named = fmt::format("kernelbenchx:{}", folder.string());
  if (!fs::is_directory(folder))
    throw BadInput(fmt::format("{}: is no folder; name a clone of BonnieW05/KernelBenchX", named));
  // Both are accepted: the repository, and the folder `data` in it.
  const bool is_root = fs::is_regular_file(folder / "data" / kMetadata);
  const auto data = is_root ? folder / "data" : folder;
  if (!fs::is_regular_file(data / kMetadata))
    throw BadInput(
        fmt::format("{}: holds no data/{}; name a clone of BonnieW05/KernelBenchX", named, kMetadata));
  const auto tasks = data / kTasks;
  if (!fs::is_directory(tasks))
    throw BadInput(
        fmt::format("{}: holds no data/{}; name a whole clone of BonnieW05/KernelBenchX", named, kTasks));

  Clone clone{is_root ? folder : fs::absolute(data).lexically_normal().parent_path(), {}};
  auto files = files_below(tasks);
  for (auto& [file, meta] : read_metadata(text_of(data / kMetadata), (data / kMetadata).string())) {
    if (!files.contains(file))
      throw BadInput(
          fmt::format("{}: its metadata names data/{}/{}, which is missing; name a whole clone of "
                      "BonnieW05/KernelBenchX",
                      named, kTasks, file));
    clone.tasks.push_back(read_task(tasks, file));
    clone.tasks.back().meta = std::move(meta);
    files.erase(file);
  }
  for (const auto& file : files) clone.tasks.push_back(read_task(tasks, file));
  if (clone.tasks.empty()) throw BadInput(named + ": its metadata and its folders name no task");
  return clone;
}

std::vector<TaskFile> select(const Clone& clone, const std::vector<std::string>& names) {
  if (names.empty()) return clone.tasks;
  for (const auto& name : names) {
    if (std::ranges::any_of(clone.tasks, [&](const auto& task) { return means(name, task); })) continue;
    std::vector<std::string> valid;
    for (const auto& task : clone.tasks)
      valid.push_back(name.find('/') == std::string::npos ? task.name : task.full_name());
    const auto nearest = nearest_name(name, valid);
    throw BadInput(fmt::format("no task '{}' in kernelbenchx:{}; {}", name, clone.root.string(),
                               nearest.empty() ? "`ridgeline tasks list` with the same suite names all"
                                               : "did you mean \"" + nearest + "\"?"));
  }
  std::vector<TaskFile> chosen;
  for (const auto& task : clone.tasks)
    if (std::ranges::any_of(names, [&](const auto& name) { return means(name, task); }))
      chosen.push_back(task);
  return chosen;
}

}  // namespace ridgeline::suites::kernelbenchx
