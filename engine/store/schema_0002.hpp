// Migration 2: transitions, derived from the journal by `ridgeline export` and safe to delete.
#pragma once

#include <string_view>

namespace ridgeline::store {

inline constexpr std::string_view schema_0002 = R"sql(
CREATE TABLE transitions (
  trajectory INTEGER NOT NULL REFERENCES trajectories(id),
  step INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  before TEXT NOT NULL REFERENCES candidates(hash),
  after TEXT NOT NULL REFERENCES candidates(hash),
  kind TEXT NOT NULL,
  from_stage TEXT,
  to_stage TEXT,
  ratio REAL,
  ratio_low REAL,
  ratio_high REAL,
  flagged INTEGER NOT NULL,
  flag_reason TEXT NOT NULL,
  PRIMARY KEY (trajectory, step, slot)
) STRICT, WITHOUT ROWID;
CREATE INDEX transitions_by_kind ON transitions(kind);
)sql";

}  // namespace ridgeline::store
