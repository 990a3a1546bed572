// The form in which .ci/run tries each bench: sizes that take seconds, figures that say nothing about the
// engine. What it shows is that the program links, runs to its end and prints its JSON lines.
#pragma once

#include <algorithm>
#include <string_view>

namespace ridgeline::bench {

/// Takes `--short` out of the arguments; the others keep their order.
inline bool take_short(int& count, char** words) {
  char** const end = std::remove_if(words + 1, words + count,
                                    [](const char* word) { return std::string_view(word) == "--short"; });
  const bool taken = end != words + count;
  count = static_cast<int>(end - words);
  return taken;
}

}  // namespace ridgeline::bench
