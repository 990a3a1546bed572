// Reads what torch says about a script that does not compile or run: one line, with the place in the script.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ridgeline::verifier {

/// An error of a script.
struct ScriptError {
  int line = 0, column = 0;     ///< in the script, from 1; 0 where torch names none
  std::string what;             ///< torch's own words in one line, without the script's text
  std::optional<double> bytes;  ///< memory that an operator asked for and did not get

  /// Formats the error as "reference:2:12: undefined value y". The caller that knows the task's file turns
  /// this place in the script `name` into a place in the file (benchmark_tasks/script_places.hpp).
  std::string text(std::string_view name) const;
};

/// Parses the message of an exception that LibTorch's compiler or interpreter threw.
ScriptError read_script_error(std::string_view message);

}  // namespace ridgeline::verifier
