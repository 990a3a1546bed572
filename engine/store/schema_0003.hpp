// Migration 3: when each run of a campaign began and ended, so that a budget of wall time holds over all of
// them.
#pragma once

#include <string_view>

namespace ridgeline::store {

inline constexpr std::string_view schema_0003 = R"sql(
CREATE TABLE runs (
  id INTEGER PRIMARY KEY,
  campaign INTEGER NOT NULL REFERENCES campaigns(id),
  began_at INTEGER NOT NULL,
  ended_at INTEGER NOT NULL
) STRICT;
CREATE INDEX runs_by_campaign ON runs(campaign);
)sql";

}  // namespace ridgeline::store
