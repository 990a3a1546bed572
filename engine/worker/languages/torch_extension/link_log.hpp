// Reads the log of a linker that warns of unresolved names (--warn-unresolved-symbols). Pure.
//
// An extension leaves the C API of Python unresolved, which the interpreter that loads it has; any other name
// means that the module would not load.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::torch_extension {

struct LinkLog {
  std::vector<std::string> unresolved;  // each once, demangled; none of Python's
  std::string rest;                     // the lines that speak of something else
};

LinkLog read_link_log(std::string_view log);

/// Returns whether a name may lie in a library that torch brings: a C name, or one of torch's namespaces.
bool may_be_torchs(std::string_view name);

}  // namespace ridgeline::torch_extension
