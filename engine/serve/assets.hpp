// Holds the style and the script of every page, as constants. No page loads anything else.
#pragma once

#include <string_view>

namespace ridgeline::serve {

extern const std::string_view style;  ///< CSS, put after that of reports, whose colours it uses
extern const std::string_view
    script;  ///< JavaScript, put after that of reports: asks for news, replaces parts

}  // namespace ridgeline::serve
