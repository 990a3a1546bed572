// Decides whether a request's sources are wrong, by asking front ends one after the other. No I/O but the
// port's.
#pragma once

#include <array>
#include <string>

#include "engine/core/names.hpp"
#include "engine/worker/languages/torch_extension/extension_flags.hpp"
#include "engine/worker/languages/torch_extension/request.hpp"

namespace ridgeline::front_ends {

/// Holds what a front end said of a text.
struct Said {
  enum class End {
    passed,
    failed,  // by errors that the text has
    unknown  // it is not there, it died, a limit ended it
  } end = End::unknown;
  std::string output, messages;
  std::string why = {};  // it is unknown
};

/// The compilers' front ends over torch's own headers. Threads: any.
class Compilers {
 public:
  virtual ~Compilers() = default;
  /// Parses what with_end() made of main.cpp, by g++. A failure's messages are those before the end.
  virtual Said parse_main(const std::string& text, const std::string& module) = 0;
  /// Expands what text_for_expansion() returns, as nvcc does for its host half. `output`: the expansion.
  virtual Said expand(const std::string& text) = 0;
  /// Parses what text_for_parsing() returns, as nvcc does for its host half.
  virtual Said parse(const std::string& text) = 0;
};

struct Checked {
  enum class Outcome {
    refused,   // the full build would fail by the same errors
    passed,    // no front end found an error; what comes behind them may
    undecided  // some part was not checked
  } outcome = Outcome::undecided;
  std::string log = {};  // of one that is refused: the compiler's messages
  std::string why = {};  // of one that is undecided, for the worker's log
};

constexpr auto enum_names(Checked::Outcome) {
  return std::to_array<Name<Checked::Outcome>>({{Checked::Outcome::refused, "refused"},
                                                {Checked::Outcome::passed, "passed"},
                                                {Checked::Outcome::undecided, "undecided"}});
}

/// Checks main.cpp, then cuda.cu's expansion, then what it expands to. Stops at the first error.
Checked check(const torch_extension::ExtensionRequest& request, const torch_extension::ExtensionFlags& flags,
              Compilers& compilers);

}  // namespace ridgeline::front_ends
