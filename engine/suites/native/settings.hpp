// The map `suite` of a campaign over tasks in Ridgeline's own format: folder and filters.
#pragma once

#include <filesystem>

#include "benchmark_tasks/suite.hpp"
#include "engine/yaml/reader.hpp"

namespace ridgeline::suites::native {

struct Settings {
  std::filesystem::path folder;  ///< "": the suite that ships
  benchmark_tasks::TaskFilter filter;
};

/// Reads the whole map, and the suite, so that a folder, a name or a category that is not there is a BadInput
/// with its place in the campaign file.
Settings read_settings(yaml::MapReader map);

/// The folder of the suite: `folder`, or where the one that ships lies. Throws BadInput.
std::filesystem::path folder_of(const std::filesystem::path& folder);

}  // namespace ridgeline::suites::native
