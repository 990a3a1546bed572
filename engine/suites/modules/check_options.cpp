#include "engine/suites/modules/check_options.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "engine/core/error.hpp"

namespace ridgeline::suites::modules {
namespace {

double seconds_in(const std::string& text) {
  double seconds = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seconds);
  if (error != std::errc() || end != text.data() + text.size() || !(seconds > 0) || !std::isfinite(seconds))
    throw BadInput(fmt::format("--timeout: '{}' is no number of seconds; write it as 120", text));
  return seconds;
}

}  // namespace

CheckOptions check_options_from(const OptionValues& options) {
  CheckOptions read;
  if (const auto given = options.find("--timeout"); given != options.end() && !given->second.empty())
    read.timeout = seconds_in(given->second);
  if (const auto given = options.find("--device"); given != options.end()) read.device = given->second;
  return read;
}

std::vector<CommandOption> check_options() {
  return {
      {"--timeout", "Seconds a task of a suite whose files are run (default: 300)", "FLOAT", OptionOf::check},
      {"--device", "Where such a suite's tasks run: cpu or cuda:INDEX", "TEXT", OptionOf::check}};
}

}  // namespace ridgeline::suites::modules
