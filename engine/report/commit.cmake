# Writes OUTPUT, a source that names the commit of SOURCE that it is built from, "-dirty" behind it if files differ from
# it; only if that changed, so that nothing else is built anew. Without git, or outside of a clone, the name is empty.
execute_process(COMMAND git -C ${SOURCE} describe --always --dirty --abbrev=8 --exclude=* OUTPUT_VARIABLE commit
                OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
#include "engine/report/commit.hpp"

namespace ridgeline::report {

const std::string_view commit = "@commit@";

}  // namespace ridgeline::report
]])
