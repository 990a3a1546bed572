// Applies overrides from the command line: `--set budget.total.tokens=200000`, `--set
// strategies.0.seeds=[1,2]`.
#pragma once

#include <string>
#include <vector>

#include "engine/yaml/reader.hpp"

namespace ridgeline::yaml {

/// Applies each "path=value" in order. A path joins keys and list indices (from 0) by dots; a value is YAML,
/// and null removes the key. Keys on the path may be new (the strict reader rejects an unknown one later),
/// unless a key of the file is so near that a typing error is likelier. The place of a set value reads "--set
/// path=value". Throws BadInput for a malformed override, an empty value, an index outside its list, and a
/// path through a scalar.
void apply_overrides(Document& document, const std::vector<std::string>& overrides);

}  // namespace ridgeline::yaml
