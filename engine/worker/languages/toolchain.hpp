// Finds a C++ compiler on this machine, and what identifies it in keys and verdicts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/core/hash.hpp"
#include "engine/worker/sandbox/policy.hpp"

namespace ridgeline::languages {

struct Toolchain {
  enum class Family { gcc, clang } family = Family::gcc;
  std::string program;  // absolute
  std::string version;  // the first line of --version: "g++ (Debian 12.2.0-14+deb12u1) 12.2.0"
  std::string root;     // a folder outside /usr that it needs, or ""
  bool gold = false;    // has the faster linker beside it
  Hash fingerprint;     // of version, target and what -march=native means here: a library built for another
                        // CPU must not come out of a shared cache
};

/// Runs each program of `names` (in PATH order, or an absolute path) inside the sandbox until one answers.
/// Versions below g++ 12 and clang 17 are passed over. g++ comes before clang: with its precompiled header it
/// is faster.
std::optional<Toolchain> find_toolchain(sandbox::Isolation isolation,
                                        const std::vector<std::string>& names = {
                                            "g++", "g++-14", "g++-13", "g++-12", "clang++", "clang++-19",
                                            "clang++-18", "clang++-17"});

/// Makes the compiler's sandbox: the system and the toolchain to read and execute, `scratch` to write, no
/// network.
sandbox::Policy compiler_policy(const Toolchain& toolchain, sandbox::Isolation isolation,
                                const std::string& scratch);

}  // namespace ridgeline::languages
