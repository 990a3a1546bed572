// Migration 7: hot calls by replay of a graph, and the energy of a call.
#pragma once

#include <string_view>

namespace ridgeline::store {

inline constexpr std::string_view schema_0007 = R"sql(
ALTER TABLE timings ADD COLUMN replayed REAL DEFAULT 0;
ALTER TABLE timings ADD COLUMN replayed_low REAL DEFAULT 0;
ALTER TABLE timings ADD COLUMN replayed_high REAL DEFAULT 0;
ALTER TABLE timings ADD COLUMN replayed_converged INTEGER DEFAULT 0;
ALTER TABLE timings ADD COLUMN replayed_samples BLOB;
ALTER TABLE timings ADD COLUMN energy REAL DEFAULT 0;
ALTER TABLE timings ADD COLUMN energy_above_idle REAL DEFAULT 0;
)sql";

}  // namespace ridgeline::store
