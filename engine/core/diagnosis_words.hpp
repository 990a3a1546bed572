// Diagnoses in one sentence for people and for the next prompt, with what usually helps. Verdicts store these
// words.
#pragma once

#include <string>

#include "engine/core/diagnosis.hpp"

namespace ridgeline {

/// A clause: "the tensor pipe is idle though the operands are float16: use mma or wmma".
std::string in_words(const Cause& cause);

std::string in_words(const AnalyticDiagnosis& diagnosis);
std::string in_words(const CountedDiagnosis& diagnosis);

/// A hot time beside it: "Hot, its operands in the L3: 10.2 µs, 78 % of that bandwidth."
std::string hot_in_words(const CachePlace& place, double seconds);

}  // namespace ridgeline
