// Turns the mangled symbol of a GPU kernel into the name that its source gives it.
#pragma once

#include <string>

namespace ridgeline {

/// Returns the kernel's name without return type and parameters: "reduce<float, 4>" for
/// "_Z6reduceIfLi4EEvPKT_". Keeps named namespaces ("mine::reduce<float4, true>") and removes anonymous ones,
/// as well as the namespace that nvcc adds to static kernels. Returns the symbol unchanged if it is not
/// mangled (extern "C") or cannot be demangled. A symbol that repeats its parts more than some twenty times
/// gives its name without template arguments, since written out it may be of any length. Takes symbols from
/// strangers.
std::string kernel_name(const std::string& symbol);

}  // namespace ridgeline
