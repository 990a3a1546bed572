// Keeps the second filter of a runner on pages that nobody can change while its candidate is loaded.
//
// A constructor could lay a filter of its own that answers the runner's call of seccomp in the kernel's
// place: the second lockdown would be believed and not be there. So while a candidate is loaded, the kernel
// takes one further filter only, by its address, and nobody can change what lies there: the pages are
// read-only, and calls that would map, unmap, move or unprotect anything up to their end trap. They lie below
// all else that a process maps, so that the rule concerns nothing else.
//
// The guard is written by hand: libseccomp takes half a minute to order rules about addresses.
#pragma once

#include <linux/filter.h>

#include <span>

#include "engine/worker/sandbox/seccomp_filter.hpp"

namespace ridgeline::sandbox {

inline constexpr std::uintptr_t kSealedPages = 0x100000;  ///< 1 MiB
inline constexpr std::size_t kSealedBytes = 0x4000;

/// Copies `program` to the sealed pages and makes them read-only. Once a process. Throws MachineCannot.
const sock_fprog* seal(const seccomp::Program& program);

/// Returns `filter` behind the guard: whatever the guard lets pass, `filter` decides.
seccomp::Program behind_guard(const seccomp::Program& filter, const sock_fprog* sealed);

}  // namespace ridgeline::sandbox
