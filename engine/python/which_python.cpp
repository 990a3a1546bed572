#include "engine/python/which_python.hpp"

#include <cstdlib>

namespace ridgeline::python {

std::string which_python() {
  const char* named = std::getenv("RIDGELINE_PYTHON");
  return named && *named ? named : "python3";  // set and empty is how a shell unsets it for one command
}

}  // namespace ridgeline::python
