// Migration 9: whether a candidate and its baseline were measured in turns.
#pragma once

#include <string_view>

namespace ridgeline::store {

inline constexpr std::string_view schema_0009 = R"sql(
ALTER TABLE timings ADD COLUMN in_turns INTEGER DEFAULT 0;
)sql";

}  // namespace ridgeline::store
