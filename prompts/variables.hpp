// Lists the variables that every template may use, beside those that a strategy gives with a request.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::prompts {

/// A variable and its meaning.
struct VariableHelp {
  std::string_view name;
  std::string_view help;
};

/// Returns all standard variables in the order in which docs/prompts.md lists them.
const std::vector<VariableHelp>& variable_help();
/// Returns their names.
std::vector<std::string> standard_variables();

}  // namespace ridgeline::prompts
