// The commit that this program was built from.
#pragma once

#include <string_view>

namespace ridgeline::report {

/// "1a2b3c4d", or "1a2b3c4d-dirty" if files were changed after it; "" if it was not built in a clone.
extern const std::string_view commit;

}  // namespace ridgeline::report
