// Builds `cpp` candidates into libraries that a runner loads: confined, cached, and fast.
//
// What makes it fast: a precompiled header (prelude.hpp), a trampoline compiled once a task, the gold linker
// where it is, and libraries kept by the hash of all that went into them. CPU seconds of one build at
// -O3 -march=native in `strict`, g++ 12.2 on an AMD EPYC core, without and with the precompiled header:
//   no include but <cstdint>                               0.09  (not used)
//   <algorithm> <cmath> <cstring> <limits> <vector>        0.53  0.16
//   <immintrin.h> <cmath> <algorithm>                      1.04  0.16
//
// Threads: build() from any number at once, each in a scratch folder of its own; from a thread that lives
// as long as the call (sandbox/process.hpp).
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/candidate.hpp"
#include "engine/worker/languages/build_cache.hpp"
#include "engine/worker/languages/build_result.hpp"
#include "engine/worker/languages/flags.hpp"
#include "engine/worker/languages/toolchain.hpp"

namespace ridgeline {

/// For one build: 20 s of CPU, 60 s in all, 3 GiB of addresses, 256 MiB a file, 32 processes.
Limits default_build_limits();

struct BuildSettings {
  std::filesystem::path cache;  // libraries, trampolines, precompiled headers, scratch; made if absent
  Isolation isolation = Isolation::strict;
  Limits limits = default_build_limits();
  std::uint64_t cache_limit = default_cache_limit;  // bytes; 0 is none
};

class Compiler {
 public:
  Compiler(Toolchain toolchain, BuildSettings settings);

  /// Makes the precompiled header for these flags unless it is there: some seconds once a machine, 65 MB.
  /// Builds before that work and are slower. False where this compiler takes none.
  bool warm_up(const std::vector<std::string>& flags = default_flags()) const;

  BuildResult build(const Task& task, const Candidate& candidate,
                    const std::vector<std::string>& flags = default_flags()) const;

  const Toolchain& toolchain() const { return toolchain_; }

 private:
  class Scratch;
  std::filesystem::path header_folder(const std::vector<std::string>& flags) const;
  Outcome run(const Scratch& scratch, std::vector<std::string> arguments,
              const std::vector<std::filesystem::path>& readable) const;
  Outcome compile(const Scratch& scratch, const std::vector<std::string>& flags,
                  const std::filesystem::path& trampoline, bool precompiled) const;
  /// `hold` is set to what keeps it there.
  std::filesystem::path trampoline_for(const Task& task, BuildHold& hold) const;

  Toolchain toolchain_;
  BuildSettings settings_;
  std::unique_ptr<BuildCache> cache_;
};

}  // namespace ridgeline
