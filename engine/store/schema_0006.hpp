// Migration 6: the clock of a device while a case was timed.
#pragma once

#include <string_view>

namespace ridgeline::store {

inline constexpr std::string_view schema_0006 = R"sql(
ALTER TABLE timings ADD COLUMN clock_hz REAL;
)sql";

}  // namespace ridgeline::store
