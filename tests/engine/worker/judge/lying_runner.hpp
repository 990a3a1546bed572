// A counting runner whose candidate has taken it over: it keeps the protocol and writes on the sheet what it
// likes.
#pragma once

#include <string_view>

namespace ridgeline {

/// How a judge starts it: the runner's own word for "count by this library", with a lie for a library.
inline constexpr std::string_view lying_word = "counters:/lie/";

/// Serves until the judge is gone. `lie`: "none", "time", "traffic", "wild", "silent", "unswept", "second
/// alone", and more.
int lie(std::string_view lie);

}  // namespace ridgeline
