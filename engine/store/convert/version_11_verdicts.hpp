// Reads verdicts of a store of schema version 11: a document without its rows, and five tables that hold
// them.
#pragma once

#include <map>
#include <string>

#include "engine/core/verdict.hpp"
#include "engine/store/records.hpp"

namespace SQLite {
class Database;
}

namespace ridgeline::store {

/// A verdict without its stages, timed cases, errors and rooflines.
Verdict version_11_document(const std::string& document);

/// Fills in what the document lacks, for all evaluations of a trajectory: one query a table. The old store is
/// attached to `database` as `version_11`.
void read_version_11_rows(const SQLite::Database& database, Id trajectory,
                          const std::map<Id, Verdict*>& verdicts);

}  // namespace ridgeline::store
