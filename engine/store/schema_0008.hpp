// Migration 8: torch.compile's baselines, each beside the eager one of the same evaluation.
#pragma once

#include <string_view>

namespace ridgeline::store {

inline constexpr std::string_view schema_0008 = R"sql(
ALTER TABLE baselines ADD COLUMN mode TEXT NOT NULL DEFAULT '';
ALTER TABLE baselines ADD COLUMN eager REAL NOT NULL DEFAULT 0;
)sql";

}  // namespace ridgeline::store
