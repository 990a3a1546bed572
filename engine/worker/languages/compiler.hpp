// Builds `cpp` candidates into libraries that a runner loads: confined, cached, and fast.
//
// It is fast by a precompiled header (prelude.hpp), a trampoline compiled once a task, the gold linker
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
#include <string>
#include <vector>

#include "engine/core/candidate.hpp"
#include "engine/worker/languages/build_result.hpp"
#include "engine/worker/languages/build_settings.hpp"
#include "engine/worker/languages/flags/cpp_flags.hpp"
#include "engine/worker/languages/toolchain.hpp"
#include "engine/worker/languages/workshop.hpp"

namespace ridgeline::languages {

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
  std::filesystem::path header_folder(const std::vector<std::string>& flags) const;
  sandbox::ConfinedExit compile(const BuildScratch& scratch, const std::vector<std::string>& flags,
                                const std::filesystem::path& trampoline, bool precompiled) const;

  Toolchain toolchain_;
  Workshop workshop_;
};

}  // namespace ridgeline::languages
