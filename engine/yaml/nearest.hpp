// The end of a message about a name that is not valid.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::yaml {

/// "; did you mean 'strategies'? (known: models, strategies)", or " (known: …)" where no name is near; of a
/// long list the first 24. Nothing where there are no names.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& known);

}  // namespace ridgeline::yaml
