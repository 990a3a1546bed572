// Reads torch's message about a script that does not compile or run, and shortens it to one line with the
// place in the script. A script is TorchScript text of a task, such as its reference: the trusted computation
// that says which outputs are right.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ridgeline::verifier {

/// What is wrong with a script, and where.
struct ScriptError {
  int line = 0, column = 0;  ///< in the script, from 1; 0 where torch names none
  std::string what;          ///< torch's own words in one line, without the script's text
  /// Bytes that an operator asked for and did not get; nullopt if memory was not the problem. A double
  /// because torch prints fractions ("20.50 GiB"), and because a faulty script may ask for any amount.
  std::optional<double> bytes;

  /// Formats the error as "reference:2:12: undefined value y", or as "reference: undefined value y" if `line`
  /// is 0. `name` is the key under which the script stands in the task's file. Line 2 is counted within the
  /// script; a caller that knows the file turns it into a line of the file with
  /// benchmark_tasks/script_places.hpp.
  std::string text(std::string_view name) const;
};

/// Parses the message of an exception that LibTorch's compiler or interpreter threw.
ScriptError read_script_error(std::string_view message);

}  // namespace ridgeline::verifier
