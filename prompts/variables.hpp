// The variables that every template may use, beside those that a strategy gives with an ask.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::prompts {

struct VariableHelp {
  std::string_view name;
  std::string_view help;
};

/// Name and meaning, as docs/prompts.md lists them.
const std::vector<VariableHelp>& variable_help();
std::vector<std::string> standard_variables();

}  // namespace ridgeline::prompts
