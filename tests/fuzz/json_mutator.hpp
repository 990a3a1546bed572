// Changes a JSON document so that it stays one: a value becomes another, a member goes, comes twice, or
// moves.
#pragma once

#include <string>
#include <string_view>

namespace ridgeline::fuzz {

/// Returns the document with one to four changes that `seed` draws; "" if the text is no JSON.
std::string mutate_json(std::string_view text, unsigned seed);

}  // namespace ridgeline::fuzz
