#include "engine/suites/kernelbench/clone.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <sstream>
#include <string_view>

#include "benchmark_tasks/suite.hpp"
#include "engine/core/error.hpp"
#include "engine/core/nearest.hpp"

namespace ridgeline::suites::kernelbench {
namespace fs = std::filesystem;
namespace {

/// Returns the positive number that `text` begins with, and in `rest` the text behind it.
std::optional<int> leading_number(std::string_view text, std::string_view& rest) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number <= 0) return std::nullopt;
  rest = text.substr(static_cast<std::size_t>(end - text.data()));
  return number;
}

std::optional<int> level_of(const fs::path& folder) {
  const auto name = folder.filename().string();
  std::string_view rest;
  if (!name.starts_with("level")) return std::nullopt;
  const auto level = leading_number(std::string_view(name).substr(5), rest);
  return level && rest.empty() ? level : std::nullopt;
}

std::vector<int> levels_in(const fs::path& folder) {
  std::vector<int> levels;
  if (!fs::is_directory(folder)) return levels;
  for (const auto& entry : fs::directory_iterator(folder))
    if (const auto level = level_of(entry.path()); level && entry.is_directory()) levels.push_back(*level);
  std::sort(levels.begin(), levels.end());
  return levels;
}

std::optional<TaskFile> task_file(const fs::path& path, int level) {
  const auto name = path.stem().string();
  std::string_view rest;
  const auto number = leading_number(name, rest);
  if (path.extension() != ".py" || !number || !rest.starts_with('_')) return std::nullopt;
  return TaskFile{level, *number, name, path};
}

void read_level(const fs::path& folder, int level, std::vector<TaskFile>& tasks) {
  const auto begin = tasks.size();
  for (const auto& entry : fs::directory_iterator(folder))
    if (auto task = task_file(entry.path(), level)) tasks.push_back(std::move(*task));
  std::sort(tasks.begin() + static_cast<std::ptrdiff_t>(begin), tasks.end(),
            [](const TaskFile& a, const TaskFile& b) { return a.number < b.number; });
  // Papers name tasks by their number, so two files with one would make a result ambiguous.
  for (auto i = begin + 1; i < tasks.size(); ++i)
    if (tasks[i].number == tasks[i - 1].number)
      throw BadInput(
          fmt::format("{}: '{}' and '{}' have one number; a task's number is its name in its level",
                      folder.string(), tasks[i - 1].name, tasks[i].name));
}

/// The forms in which papers, people and KernelBench's own scripts name a task.
bool means(const std::string& name, const TaskFile& task) {
  const auto numbered = fmt::format("level{}/{}", task.level, task.number);
  return benchmark_tasks::matches_glob(name, task.full_name()) ||
         benchmark_tasks::matches_glob(name, task.name) || name == numbered;
}

}  // namespace

std::string TaskFile::full_name() const {
  return fmt::format("level{}/{}", level, name);
}

std::string TaskFile::identifier() const {
  // The level is part of it, since names repeat between levels.
  auto text = fmt::format("level{}_{}", level, name);
  for (auto& letter : text)
    if (!std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
  return text;
}

Clone open_clone(const fs::path& folder, std::vector<int> levels) {
  if (!fs::is_directory(folder))
    throw BadInput(fmt::format(
        "kernelbench:{}: is no folder; name a clone of ScalingIntelligence/KernelBench", folder.string()));
  // Both layouts are accepted: the repository's root, and the folder in it that holds the levels.
  const auto inner = folder / "KernelBench";
  Clone clone{levels_in(inner).empty() ? folder : inner, {}};
  const auto present = levels_in(clone.root);
  if (present.empty())
    throw BadInput(
        fmt::format("kernelbench:{}: holds neither KernelBench/level1 nor level1; name a clone of "
                    "ScalingIntelligence/KernelBench",
                    folder.string()));
  // A clone may lack a default level; a level that was asked for must be there.
  if (levels.empty())
    std::set_intersection(present.begin(), present.end(), default_levels.begin(), default_levels.end(),
                          std::back_inserter(levels));
  for (const int level : levels) {
    if (std::find(present.begin(), present.end(), level) == present.end())
      throw BadInput(fmt::format("kernelbench:{}: there is no level {}; there are: {}", folder.string(),
                                 level, fmt::join(present, ", ")));
    read_level(clone.root / fmt::format("level{}", level), level, clone.tasks);
  }
  if (clone.tasks.empty())
    throw BadInput(fmt::format("kernelbench:{}: the levels {} hold no task file <number>_<name>.py",
                               folder.string(), fmt::join(levels, ", ")));
  return clone;
}

std::vector<TaskFile> select(const Clone& clone, const std::vector<std::string>& names) {
  if (names.empty()) return clone.tasks;
  for (const auto& name : names) {
    if (std::any_of(clone.tasks.begin(), clone.tasks.end(),
                    [&](const auto& task) { return means(name, task); }))
      continue;
    std::vector<std::string> valid;
    for (const auto& task : clone.tasks)
      valid.push_back(name.find('/') == std::string::npos ? task.name : task.full_name());
    const auto nearest = nearest_name(name, valid);
    throw BadInput(fmt::format("no task '{}' in kernelbench:{}; {}", name, clone.root.string(),
                               nearest.empty() ? "`ridgeline tasks list` with the same suite names all"
                                               : "did you mean \"" + nearest + "\"?"));
  }
  std::vector<TaskFile> chosen;
  for (const auto& task : clone.tasks)
    if (std::any_of(names.begin(), names.end(), [&](const auto& name) { return means(name, task); }))
      chosen.push_back(task);
  return chosen;
}

oracle::TaskText read_text(const TaskFile& task) {
  std::ifstream file(task.path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw BadInput(task.path.string() + ": cannot be read");
  return {task.full_name(), text.str()};
}

std::vector<int> parse_levels(const std::string& text) {
  std::set<int> levels;
  std::istringstream pieces(text);
  for (std::string piece; std::getline(pieces, piece, ',');) {
    std::string_view rest = "?";
    const auto level = leading_number(piece, rest);
    if (!level || !rest.empty())
      throw BadInput(fmt::format("--levels: '{}' is no level; write them as 1,2,3", piece));
    levels.insert(*level);
  }
  if (levels.empty()) throw BadInput("--levels: names no level; write them as 1,2,3");
  return {levels.begin(), levels.end()};
}

}  // namespace ridgeline::suites::kernelbench
