// A trajectory's evaluations with all their numbers: one indexed query a table, merged.
#pragma once

#include <vector>

#include "engine/store/records.hpp"

namespace SQLite {
class Database;
}

namespace ridgeline::store {

/// Ordered by step and slot.
std::vector<EvaluationRecord> load_evaluations(const SQLite::Database& database, Id trajectory);

}  // namespace ridgeline::store
