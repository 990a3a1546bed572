#include "engine/worker/sandbox/policy.hpp"

namespace ridgeline::sandbox {

Policy& Policy::system_libraries() {
  for (const char* folder : {"/usr/lib", "/usr/lib64", "/lib", "/lib64", "/etc/ld.so.cache"})
    add({.path = folder, .use = PathUse::read, .optional = true});
  // The kernel opens the loader for execution on behalf of every dynamically linked program.
  for (const char* loader : {"/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"})
    add({.path = loader, .use = PathUse::execute, .optional = true});
  for (const char* node : {"/dev/null", "/dev/zero", "/dev/urandom"})
    add({.path = node, .use = PathUse::write, .device = true, .optional = true});
  return *this;
}

Policy& Policy::system_programs() {
  system_libraries();
  for (const char* folder : {"/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc/alternatives"})
    add({.path = folder, .use = PathUse::execute, .optional = true});
  return *this;
}

}  // namespace ridgeline::sandbox
