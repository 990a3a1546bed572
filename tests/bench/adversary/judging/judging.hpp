// Candidates of tests/testcases through the real judge and runner, with what came of each.
//
// One thread uses all of this at a time. Each candidate is told on stderr as it is judged.
#pragma once

#include <stdexcept>
#include <vector>

#include "engine/core/language.hpp"
#include "tests/bench/adversary/options.hpp"
#include "tests/bench/adversary/scorecard.hpp"

namespace ridgeline::bench {

/// This machine lacks what a language needs: what() says what.
struct LeftOut : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// `cpp` on a CPU. Throws LeftOut.
std::vector<Scored> score_cpp(const AdversaryOptions& options);
/// `cuda` on the first GPU. Throws LeftOut.
std::vector<Scored> score_cuda(const AdversaryOptions& options);
/// Modules of torch on a CPU. Throws LeftOut.
std::vector<Scored> score_python(const AdversaryOptions& options);
/// Triton on the first GPU, where there is one that torch was built for, else in its interpreter: by the
/// shipped programs, all at once. Throws LeftOut.
std::vector<Scored> score_triton(const AdversaryOptions& options);

}  // namespace ridgeline::bench
