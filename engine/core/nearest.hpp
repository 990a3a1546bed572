// The valid name that was probably meant, for messages about a name that is not valid.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace ridgeline {

/// The nearest of `names` by edit distance; "" when none is near enough to be a slip of the same name.
std::string nearest_name(std::string_view wanted, std::span<const std::string> names);

/// `; did you mean "x"?`, or else `; there are: a, b, c`. Made to stand at the end of a message.
std::string suggestion(std::string_view wanted, std::span<const std::string> names);

}  // namespace ridgeline
