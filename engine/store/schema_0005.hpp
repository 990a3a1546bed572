// Migration 5: what is known of each task that a campaign chose from a suite that may hold bad ones, and
// baselines of several kinds.
#pragma once

#include <string_view>

namespace ridgeline::store {

inline constexpr std::string_view schema_0005 = R"sql(
CREATE TABLE suite_tasks (
  campaign INTEGER NOT NULL REFERENCES campaigns(id),
  ordinal INTEGER NOT NULL,
  file TEXT NOT NULL,
  name TEXT NOT NULL,
  category TEXT NOT NULL,
  text_hash TEXT NOT NULL,
  task TEXT REFERENCES tasks(hash),
  standing TEXT NOT NULL,
  reason TEXT NOT NULL,
  notes TEXT NOT NULL,
  PRIMARY KEY (campaign, file)
) STRICT, WITHOUT ROWID;

ALTER TABLE baselines RENAME TO baselines_of_one_kind;
CREATE TABLE baselines (
  task TEXT NOT NULL,
  device TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('eager', 'compile')),
  case_name TEXT NOT NULL,
  description TEXT NOT NULL,
  median REAL NOT NULL,
  low REAL NOT NULL,
  high REAL NOT NULL,
  converged INTEGER NOT NULL,
  samples BLOB NOT NULL,
  measured_at INTEGER NOT NULL,
  PRIMARY KEY (task, device, kind, case_name)
) STRICT;
INSERT INTO baselines SELECT task, device, 'eager', case_name, description, median, low, high, converged,
  samples, measured_at FROM baselines_of_one_kind;
DROP TABLE baselines_of_one_kind;
)sql";

}  // namespace ridgeline::store
