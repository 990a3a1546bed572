// Landlock: which files a process and its descendants may use. Rules attach to inodes, so a ruleset made
// in the parent holds in the child's own mount namespace too.
#pragma once

#include <cstdint>

#include "engine/core/file_descriptor.hpp"
#include "engine/worker/sandbox/policy.hpp"

namespace ridgeline::sandbox::landlock {

/// The kernel's ABI version; 0 and errno where Landlock is absent (ENOSYS) or off at boot (EOPNOTSUPP).
int abi();

/// The rights that a ruleset of this ABI refuses unless a rule grants them: all that the ABI knows.
std::uint64_t handled_rights(int abi);
std::uint64_t rights_for(PathUse use, bool device, bool folder, int abi);

/// A ruleset that grants the policy's paths and nothing else. Throws BadInput for a path that is absent
/// and not optional, MachineCannot where the kernel refuses.
FileDescriptor make_ruleset(const Policy& policy, int abi);

// Async-signal-safe, for the child between clone and exec; 0 or -1 and errno.
int add_folder(int ruleset, int folder_fd, std::uint64_t rights) noexcept;
int restrict_self(int ruleset) noexcept;

}  // namespace ridgeline::sandbox::landlock
