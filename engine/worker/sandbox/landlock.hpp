// Restricts with Landlock which files a process and its descendants may use. Rules attach to inodes, so a
// ruleset made in the parent also holds in the child's own mount namespace.
#pragma once

#include <cstdint>

#include "engine/core/file_descriptor.hpp"
#include "engine/worker/sandbox/policy.hpp"

namespace ridgeline::sandbox::landlock {

/// Returns the kernel's ABI version; 0, and errno, where Landlock is absent (ENOSYS) or off at boot
/// (EOPNOTSUPP).
int abi();

/// Returns all rights that this ABI knows: a ruleset refuses them unless a rule grants them.
std::uint64_t handled_rights(int abi);
/// Returns the rights that a rule grants for `use` of a device node, folder or file.
std::uint64_t rights_for(PathUse use, bool device, bool folder, int abi);

/// Makes a ruleset that grants the policy's paths and nothing else. Throws BadInput for a path that is
/// absent and not optional, MachineCannot where the kernel refuses.
FileDescriptor make_ruleset(const Policy& policy, int abi);

// Async-signal-safe, for the child between clone and exec. They return 0, or -1 and set errno.
int add_folder(int ruleset, int folder_fd, std::uint64_t rights) noexcept;
int restrict_self(int ruleset) noexcept;

}  // namespace ridgeline::sandbox::landlock
