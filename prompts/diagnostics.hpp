// Parses the messages of compilers and linkers: g++, clang, nvcc, ptxas and ld.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/names.hpp"

namespace ridgeline::prompts {

enum class Severity { error, warning, note };
constexpr auto enum_names(Severity) {
  return std::to_array<Name<Severity>>(
      {{Severity::error, "error"}, {Severity::warning, "warning"}, {Severity::note, "note"}});
}

/// One message of a compiler or linker.
struct Diagnostic {
  std::string file;  ///< its name without folders; "" if the tool named none
  int line = 0;      ///< from 1; 0 if unknown
  int column = 0;    ///< from 1; 0 if unknown
  Severity severity = Severity::error;
  std::string message;
  std::string quoted;        ///< the source line as the tool quoted it; "" if it did not
  bool system = false;       ///< in a header that is not the candidate's
  std::vector<int> also_at;  ///< further lines of the same file with the same message
};

/// Returns the messages in the order of the log. A repeated message appears once, its further lines in
/// `also_at`.
std::vector<Diagnostic> parse_diagnostics(std::string_view log);

}  // namespace ridgeline::prompts
