// What a campaign knows of the suite that its tasks were chosen from, as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "engine/store/records.hpp"

namespace ridgeline::cli {

/// A list; empty where the suite is one of ours.
nlohmann::json suite_document(const std::vector<store::SuiteTaskRecord>& suite);

}  // namespace ridgeline::cli
