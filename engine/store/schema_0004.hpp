// Migration 4: branches. A campaign and a trajectory may name the one that they continue.
#pragma once

#include <string_view>

namespace ridgeline::store {

inline constexpr std::string_view schema_0004 = R"sql(
ALTER TABLE campaigns ADD COLUMN origin INTEGER REFERENCES campaigns(id);
ALTER TABLE trajectories ADD COLUMN origin INTEGER REFERENCES trajectories(id);
ALTER TABLE trajectories ADD COLUMN kept_steps INTEGER NOT NULL DEFAULT 0;
)sql";

}  // namespace ridgeline::store
