// The style and the script of reports, compiled in.
#pragma once

#include <string_view>

namespace ridgeline::report {

/// One file of engine/report/assets.
struct Asset {
  const char* name;
  const char* text;
};
/// The last one's pointers are null.
extern const Asset assets[];

/// Returns the text of the file with this name ("report.css").
std::string_view asset(std::string_view name);

}  // namespace ridgeline::report
