// Holds the style and the script of every page, as constants. No page loads anything else.
#pragma once

#include <string_view>

namespace ridgeline::serve {

extern const std::string_view style;   ///< CSS, put after compare::report_style(), whose colours it uses
extern const std::string_view script;  ///< JavaScript that asks for news and replaces parts (page.hpp)

}  // namespace ridgeline::serve
