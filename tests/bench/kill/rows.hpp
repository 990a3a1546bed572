// Every row of a store that is a result, as a hash of all its columns: what was there once must be there
// later.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "engine/core/hash.hpp"
#include "engine/store/store.hpp"

namespace ridgeline::bench {

using Rows = std::set<std::string>;

/// Reads all rows as of one moment, also while an engine writes.
inline Rows rows_of(const std::string& path) {
  const auto opened = store::Store::open(path, store::OpenMode::read_only);
  const auto database = opened.connect_to_read();
  database->exec("BEGIN");
  Rows rows;
  for (const std::string table : {"campaigns", "tasks", "candidates", "asks", "evaluations", "stage_results",
                                  "timings", "error_quantiles", "rooflines", "counters"}) {
    SQLite::Statement all(*database, "SELECT * FROM " + table);
    while (all.executeStep()) {
      std::vector<std::string> parts{table};
      for (int i = 0; i < all.getColumnCount(); ++i) {
        const auto column = all.getColumn(i);
        const auto* bytes = static_cast<const char*>(column.getBlob());
        parts.emplace_back(column.isNull() ? "NULL" : "value");
        parts.emplace_back(
            bytes == nullptr ? "" : std::string(bytes, static_cast<std::size_t>(column.getBytes())));
      }
      std::string text;
      for (const auto& part : parts) text += std::to_string(part.size()) + ':' + part;
      rows.insert(sha256(text));
    }
  }
  return rows;
}

/// Counts the rows of `earlier` that are gone or changed.
inline int lost(const Rows& earlier, const Rows& later) {
  std::vector<std::string> gone;
  std::set_difference(earlier.begin(), earlier.end(), later.begin(), later.end(), std::back_inserter(gone));
  return static_cast<int>(gone.size());
}

}  // namespace ridgeline::bench
