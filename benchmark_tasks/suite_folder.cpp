#include "benchmark_tasks/suite_folder.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "engine/core/error.hpp"

namespace ridgeline::benchmark_tasks {
namespace fs = std::filesystem;

namespace {

/// Whether the folder has task files. A build tree has a folder of the same name without any.
bool holds_tasks(const fs::path& folder) {
  std::error_code missing;
  for (const auto& category : fs::directory_iterator(folder, missing)) {
    std::error_code unreadable;
    for (const auto& file : fs::directory_iterator(category.path(), unreadable))
      if (file.path().extension() == ".yaml") return true;
  }
  return false;
}

}  // namespace

fs::path suite_folder_for(const std::optional<std::string>& variable, const fs::path& executable) {
  if (variable && !variable->empty()) {
    // The user's word is taken as it is: falling back to another folder would judge other tasks in silence.
    if (fs::is_directory(*variable)) return *variable;
    throw BadInput(
        fmt::format("RIDGELINE_TASKS names '{}', which is no folder; correct it or unset it", *variable));
  }
  const auto beside = executable.parent_path();
  auto in_source = (beside / "../../benchmark_tasks").lexically_normal();
  auto in_bundle = (beside / "../share/ridgeline/benchmark_tasks").lexically_normal();
  const auto of_preset = (beside / "../../../benchmark_tasks").lexically_normal();  // build/<preset>/bin
  for (const auto& place : {in_source, of_preset, in_bundle})
    if (holds_tasks(place)) return place;
  throw BadInput(fmt::format(
      "no folder with task files is at {}, {} or {}; set RIDGELINE_TASKS to the folder benchmark_tasks",
      in_source.string(), of_preset.string(), in_bundle.string()));
}

fs::path default_suite_folder() {
  const char* variable = std::getenv("RIDGELINE_TASKS");
  std::error_code ignored;  // without /proc, the message of suite_folder_for says what to do
  return suite_folder_for(variable ? std::optional<std::string>(variable) : std::nullopt,
                          fs::read_symlink("/proc/self/exe", ignored));
}

}  // namespace ridgeline::benchmark_tasks
