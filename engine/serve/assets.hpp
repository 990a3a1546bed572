// The style and the script that stand in every page. Constants.
#pragma once

#include <string_view>

namespace ridgeline::serve {

extern const std::string_view style;  ///< beside compare::report_style(), whose colours it shares
extern const std::string_view script;

}  // namespace ridgeline::serve
