// Reads verdicts of a store of schema version 11. It keeps a part of each verdict in a JSON document, and the
// rest as rows of five tables.
#pragma once

#include <map>
#include <string>

#include "engine/core/verdict.hpp"
#include "engine/store/records.hpp"

namespace SQLite {
class Database;
}

namespace ridgeline::store {

/// Returns the document's part: a verdict without its stages, timed cases, errors, rooflines and the
/// rooflines' counters. Each of these five has a table.
Verdict version_11_document(const std::string& document);

/// Fills in what the documents lack, for the evaluations of one trajectory. `verdicts` has their verdicts by
/// the evaluation's id; an evaluation that is not in it is skipped. Makes one query a table. The old store is
/// attached to `database` as `version_11`.
void read_version_11_rows(const SQLite::Database& database, Id trajectory,
                          const std::map<Id, Verdict*>& verdicts);

}  // namespace ridgeline::store
