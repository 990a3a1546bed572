// Suggests the name that was probably meant, for messages about a name that does not exist.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ridgeline {

/// Returns the nearest of `names` by edit distance; "" if none is near enough to be a slip of the same name.
std::string nearest_name(std::string_view wanted, std::span<const std::string> names);

/// Returns `; did you mean "x"?`, or else `; there are: a, b, c`, for the end of a message.
std::string suggestion(std::string_view wanted, std::span<const std::string> names);

}  // namespace ridgeline
