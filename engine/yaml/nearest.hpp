// Suggests names where a file or a command line has an unknown one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::yaml {

/// Returns the end of a message about the unknown `name`: "; did you mean 'strategies'? (known: models,
/// strategies)", or " (known: …)" where no known name is near. A list of more than 24 is cut; an empty one
/// gives "".
std::string did_you_mean(std::string_view name, const std::vector<std::string>& known);

}  // namespace ridgeline::yaml
