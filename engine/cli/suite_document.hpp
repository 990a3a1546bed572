// Writes what a campaign found out about the files of its suite, as JSON.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "engine/store/records.hpp"

namespace ridgeline::cli {

/// Returns a list with an entry per file; empty for a suite that does not examine files (suites::Proof).
nlohmann::json suite_document(const std::vector<store::SuiteTaskRecord>& suite);

}  // namespace ridgeline::cli
