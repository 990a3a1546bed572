// Finds the folder of the suite that ships with Ridgeline.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace ridgeline::benchmark_tasks {

/// Returns the folder that the environment variable RIDGELINE_TASKS names; else, beside this executable, the
/// first of ../../benchmark_tasks and ../../../benchmark_tasks (builds in the source tree) and
/// ../share/ridgeline/benchmark_tasks (a bundle) that holds task files. Throws BadInput with the folders that
/// were tried.
std::filesystem::path default_suite_folder();

/// Decides the same from values: the variable (nullopt if unset) and the executable's path.
std::filesystem::path suite_folder_for(const std::optional<std::string>& variable,
                                       const std::filesystem::path& executable);

}  // namespace ridgeline::benchmark_tasks
