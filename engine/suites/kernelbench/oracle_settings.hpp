// How the oracle of a clone is started on this machine.
#pragma once

#include <string>

#include "engine/oracle/oracle_process.hpp"

namespace ridgeline::suites::kernelbench {

/// The Python that RIDGELINE_PYTHON names, else python3; `device` is "cpu" or "cuda:<index>". No API key is
/// in its environment.
oracle::OracleSettings oracle_settings(const std::string& device = "cpu");

}  // namespace ridgeline::suites::kernelbench
