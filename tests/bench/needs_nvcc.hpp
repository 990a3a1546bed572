// For benches that time nvcc: the short form runs everywhere, and says so where there is none.
#pragma once

#include <algorithm>
#include <cstdio>

#include "engine/worker/languages/cuda_toolchain.hpp"
#include "engine/worker/languages/program_search.hpp"

namespace ridgeline::bench {

/// Says what is missing where no place holds an nvcc. One that is there and does not run is a failure, not
/// this.
inline bool skipped_without_nvcc() {
  const auto there = [](const auto& place) { return languages::find_program(place).has_value(); };
  if (std::ranges::any_of(languages::nvcc_places(), there)) return false;
  std::printf("skipped: needs nvcc\n");
  return true;
}

}  // namespace ridgeline::bench
