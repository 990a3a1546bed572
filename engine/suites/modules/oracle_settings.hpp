// Says how to start the oracle of a clone on this machine.
#pragma once

#include <string>

#include "engine/oracle/oracle_process.hpp"

namespace ridgeline::suites::modules {

/// Returns settings with the Python that RIDGELINE_PYTHON names, else python3. `device` is "cpu" or
/// "cuda:<index>". No API key is in the environment.
oracle::OracleSettings oracle_settings(const std::string& device = "cpu");

}  // namespace ridgeline::suites::modules
