// Migration 8: torch.compile's baselines, one a mode, each with the eager one of the same evaluation.
#pragma once

#include <string_view>

namespace ridgeline::store {

inline constexpr std::string_view schema_0008 = R"sql(
ALTER TABLE baselines RENAME TO baselines_without_modes;
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
  mode TEXT NOT NULL,
  eager REAL NOT NULL,
  PRIMARY KEY (task, device, kind, mode, case_name)
) STRICT;
INSERT INTO baselines SELECT task, device, kind, case_name, description, median, low, high, converged, samples,
  measured_at, '', 0 FROM baselines_without_modes;
DROP TABLE baselines_without_modes;
)sql";

}  // namespace ridgeline::store
