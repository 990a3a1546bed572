// The entry points that are fuzzed: each takes any bytes and treats them as the program would. libFuzzer
// calls them (libfuzzer/entry.cpp, `./dev fuzz`), and replay_test.cpp calls them with their seeds in every
// build.
#pragma once

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::fuzz {

struct Target {
  const char* name;
  /// Takes any bytes. Throws std::logic_error if a promise is broken; whatever else escapes is a finding too.
  void (*run)(std::string_view bytes);
  /// Makes the corpus to begin with, and inputs that were findings once.
  std::vector<std::string> (*seeds)();
  /// Changes an input of this structure; null: bytes are changed at random.
  std::string (*mutate)(std::string_view bytes, std::size_t most, unsigned seed) = nullptr;
};

// Judge side.
extern const Target replies;       ///< a runner's packets, and all that a judge makes of them
extern const Target sheets;        ///< a counter sheet, up to the verdict's rooflines
extern const Target artefacts;     ///< what a builder hands over for a Python runner
extern const Target recordings;    ///< what an answer in Python asks to have built, and its compiler's words
extern const Target frames;        ///< between engine, worker and judge
extern const Target descriptions;  ///< a task's description by the oracle
// Runner side.
extern const Target orders;  ///< a judge's orders, to a library's runner and to an interpreter's

/// Throws unless a promise holds.
inline void require(bool holds, const char* promise) {
  if (!holds) throw std::logic_error(promise);
}

}  // namespace ridgeline::fuzz
