#include "engine/suites/modules/oracle_settings.hpp"

#include <cstdlib>

#include "engine/python/which_python.hpp"
#include "engine/worker/protocol/environment.hpp"

namespace ridgeline::suites::modules {
namespace {

/// Passes on what a worker inherits, and the two variables that may say where the user's Python lies. The
/// oracle is trusted, but it needs no key, so it is given none.
std::vector<std::string> environment() {
  auto variables = protocol::inherited_environment(protocol::EnvironmentFor::worker);
  for (const char* name : {"PYTHONPATH", "VIRTUAL_ENV"})
    if (const char* value = std::getenv(name)) variables.push_back(std::string(name) + "=" + value);
  return variables;
}

}  // namespace

oracle::OracleSettings oracle_settings(const std::string& device) {
  oracle::OracleSettings settings;
  settings.python = python::which_python();
  settings.device = device;
  settings.environment = environment();
  return settings;
}

}  // namespace ridgeline::suites::modules
