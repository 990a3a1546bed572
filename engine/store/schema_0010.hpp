// Migration 10: `devices.hello` goes, which nothing ever filled.
#pragma once

#include <string_view>

namespace ridgeline::store {

inline constexpr std::string_view schema_0010 = R"sql(
ALTER TABLE devices DROP COLUMN hello;
)sql";

}  // namespace ridgeline::store
