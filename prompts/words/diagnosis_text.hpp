// Diagnoses (engine/core/diagnosis.hpp) in one sentence for people and for the next prompt, with advice that
// usually helps.
//
// The judge stores the sentence in the verdict, so that a prompt rendered again later says the same, whatever
// later versions think of the figures. Readers print the stored text and never compute it anew.
#pragma once

#include <string>

#include "engine/core/diagnosis.hpp"

namespace ridgeline::words {

/// Returns a clause: "the tensor pipe is idle though the operands are float16: use mma or wmma".
std::string cause_text(const Cause& cause);

/// Returns a sentence: "Memory-bound at 1.8x the roofline's least time: …".
std::string diagnosis_text(const AnalyticDiagnosis& diagnosis);
std::string diagnosis_text(const CountedDiagnosis& diagnosis);

/// Returns a sentence about the time of a hot call, in seconds: "Hot, its operands in the L3: 10.2 µs, 78 %
/// of that bandwidth."
std::string hot_text(const CachePlace& place, double seconds);

}  // namespace ridgeline::words
