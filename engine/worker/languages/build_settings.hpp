// Holds what every build is made under: where, how confined, within which limits.
#pragma once

#include <cstdint>
#include <filesystem>

#include "engine/worker/languages/build_cache.hpp"
#include "engine/worker/sandbox/policy.hpp"

namespace ridgeline::languages {

/// For one build: 20 s of CPU, 60 s in all, 3 GiB of addresses, 256 MiB a file, 32 processes.
sandbox::Limits default_build_limits();

struct BuildSettings {
  std::filesystem::path cache;  // libraries, trampolines, precompiled headers, scratch; made if absent
  sandbox::Isolation isolation = sandbox::Isolation::strict;
  sandbox::Limits limits = default_build_limits();
  std::uint64_t cache_limit = default_cache_limit;  // bytes; 0 is none
};

}  // namespace ridgeline::languages
