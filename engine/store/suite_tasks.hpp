// Stores which tasks of a suite (KernelBench) a campaign has checked, and whether they can be judged.
#pragma once

#include <vector>

#include "engine/store/records.hpp"

namespace SQLite {
class Database;
}

namespace ridgeline::store {

/// Writes or overwrites a record for each file of `suite`, inside the caller's transaction.
void keep_suite(SQLite::Database& database, Id campaign, const std::vector<SuiteTaskRecord>& suite);

/// Returns the campaign's records in the order in which `keep_suite` last got them.
std::vector<SuiteTaskRecord> load_suite(const SQLite::Database& database, Id campaign);

}  // namespace ridgeline::store
