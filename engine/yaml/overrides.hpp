// Overrides from the command line: `--set budget.total.tokens=200000`, `--set strategies.0.seeds=[1,2]`.
#pragma once

#include <string>
#include <vector>

#include "engine/yaml/reader.hpp"

namespace ridgeline::yaml {

/// Applies "path=value" in order. A path is keys and list indices joined by dots; a value is YAML. The last
/// key may be new (the strict reader rejects it if it is unknown), and so may maps on the way, unless an
/// existing key is so near that a slip is likelier. The value null takes the key away. Places of what was
/// set read "--set path=value". Throws BadInput for a malformed override, an empty value, an index outside a
/// list, and a path through something that is no map.
void apply_overrides(Document& document, const std::vector<std::string>& overrides);

}  // namespace ridgeline::yaml
