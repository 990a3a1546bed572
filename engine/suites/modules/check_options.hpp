// The options of `ridgeline tasks check` that suites with modules share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/suites/suite.hpp"

namespace ridgeline::suites::modules {

/// Options as they were given.
struct CheckOptions {
  std::optional<double> timeout;  ///< seconds a task
  std::string device;             ///< "" if it was not given
};

/// Reads them. Throws BadInput, naming the option, for a timeout that is no positive number of seconds.
CheckOptions check_options_from(const OptionValues& options);

/// Returns them as a profile declares them.
std::vector<CommandOption> check_options();

}  // namespace ridgeline::suites::modules
