// How long a runner may take for what it is asked, in seconds of a clock. A runner that takes longer counts
// as hung and is killed.
//
// Calls of a candidate have limits of their own, which follow from the request and the baseline.
#pragma once

namespace ridgeline::judge::runner_limits {

inline constexpr double start = 20;  ///< a machine that swaps is slow, not broken
/// An import of torch reads a gigabyte, perhaps from a disk on which it was never read before.
inline constexpr double start_python = 60;
inline constexpr double load = 10;         ///< of a shared library, its static constructors among it
inline constexpr double load_module = 60;  ///< a constructor of torch may build a large model
/// The first calls of a module together, beside what each may take (call_allowance.hpp): torch imports its
/// compiler for the first custom operator or dispatch mode, 1.2 s alone on a core, 2.5 s on the host of an
/// H100, and eight times that on a busy one.
inline constexpr double lazy_imports = 20;
/// The calls of a candidate that compiles, together, beside what each may take. The agent ends a judge that
/// is silent for 600 s.
inline constexpr double compile = 300;
inline constexpr double map = 10;  ///< mapping or unmapping arenas
/// Preparing counters, or opening a counted pass: the first on a chip takes a quarter to half a second.
inline constexpr double prepare_counters = 20;

/// The limit for a candidate that an interpreter loads, or else a library's.
inline constexpr double load_in(bool interpreter) {
  return interpreter ? load_module : load;
}

}  // namespace ridgeline::judge::runner_limits
