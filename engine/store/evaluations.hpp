// Reads a trajectory's evaluations with their verdicts.
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
