// Reads the map `suite` of a campaign over tasks in Ridgeline's own format: folder and filters.
#pragma once

#include <filesystem>
#include <memory>

#include "benchmark_tasks/suite.hpp"
#include "engine/yaml/reader.hpp"

namespace ridgeline::suites::native {

struct Settings {
  std::filesystem::path folder;  ///< "" means the suite that ships
  benchmark_tasks::TaskFilter filter;
  std::shared_ptr<const benchmark_tasks::Suite> suite;  ///< the folder, which checking the filter has read
};

/// Reads the whole map, and the suite, so that a missing folder, name or category is a BadInput with its
/// place in the campaign file.
Settings read_settings(yaml::MapReader map);

/// Returns `folder`, or the folder of the suite that ships if it is "". Throws BadInput if that is not found.
std::filesystem::path folder_of(const std::filesystem::path& folder);

}  // namespace ridgeline::suites::native
