// What a campaign knows of the tasks of a suite that may hold bad ones.
#pragma once

#include <vector>

#include "engine/store/records.hpp"

namespace SQLite {
class Database;
}

namespace ridgeline::store {

/// Inside the caller's transaction.
void keep_suite(SQLite::Database& database, Id campaign, const std::vector<SuiteTaskRecord>& suite);

/// In the order in which they were kept last.
std::vector<SuiteTaskRecord> load_suite(const SQLite::Database& database, Id campaign);

}  // namespace ridgeline::store
