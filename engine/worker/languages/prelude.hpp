// The header that is precompiled, once a machine and set of flags, and read before a candidate's source.
#pragma once

#include <string_view>

namespace ridgeline::languages {

// Includes what kernels include most, and no more: loading it costs time that grows with its size (65 MB, 50
// ms). A change makes a new precompiled header, since its text is part of the key.
inline constexpr const char* kPrelude = R"text(#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <numeric>
#include <utility>
#include <vector>
#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif
)text";

/// Returns whether the source includes more than light headers. Only the time of the build depends on the
/// answer.
bool gains_from_prelude(std::string_view source);

}  // namespace ridgeline::languages
