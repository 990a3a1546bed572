// What torch says about a script that does not compile or run, in one line and with the place in the script.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ridgeline::verifier {

struct ScriptError {
  int line = 0, column = 0;     ///< in the script, from 1; 0 where torch names none
  std::string what;             ///< torch's own words in one line, without the script's text
  std::optional<double> bytes;  ///< that an operator asked for and the machine did not have

  /// "reference:2:12: undefined value y", as places in the script `name` are written in messages: whoever
  /// knows the task's file makes them places in it (benchmark_tasks/script_places.hpp).
  std::string text(std::string_view name) const;
};

/// Reads the message of an exception that LibTorch's compiler or interpreter threw.
ScriptError read_script_error(std::string_view message);

}  // namespace ridgeline::verifier
