// Migration 11: the order in which requests that were begun one by one ended, and which were given up.
#pragma once

#include <string_view>

namespace ridgeline::store {

inline constexpr std::string_view schema_0011 = R"sql(
CREATE TABLE effect_events (
  trajectory INTEGER NOT NULL REFERENCES trajectories(id),
  ordinal INTEGER NOT NULL,
  event TEXT NOT NULL,
  step INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  reason TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (trajectory, ordinal)
) STRICT, WITHOUT ROWID;
)sql";

}  // namespace ridgeline::store
