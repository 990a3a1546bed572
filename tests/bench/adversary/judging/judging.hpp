// Judges the candidates of tests/testcases by the real judge and runner, and scores each verdict.
//
// One thread uses all of this at a time. Each candidate's outcome is written to stderr as it is judged.
#pragma once

#include <stdexcept>
#include <vector>

#include "engine/core/language.hpp"
#include "tests/bench/adversary/options.hpp"
#include "tests/bench/adversary/scorecard.hpp"

namespace ridgeline::bench {

/// Says by what() which tool or device of a language this machine lacks.
struct LeftOut : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Judges `cpp` on a CPU. Throws LeftOut.
std::vector<Scored> score_cpp(const AdversaryOptions& options);
/// Judges `cuda` on the first GPU. Throws LeftOut.
std::vector<Scored> score_cuda(const AdversaryOptions& options);
/// Judges modules of torch on a CPU. Throws LeftOut.
std::vector<Scored> score_python(const AdversaryOptions& options);
/// Judges Triton's on the first GPU if torch was built for CUDA, else in its interpreter: by the shipped
/// programs, all at once. Throws LeftOut.
std::vector<Scored> score_triton(const AdversaryOptions& options);

}  // namespace ridgeline::bench
