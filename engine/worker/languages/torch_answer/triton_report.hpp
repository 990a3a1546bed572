// Reads what came of compiling an answer's kernels ahead, as runner/python/ridgeline_runner/ahead.py wrote
// it: claims of the candidate, which may only say how it failed. No I/O.
#pragma once

#include <optional>
#include <string>

#include "engine/worker/languages/build_result.hpp"

namespace ridgeline::torch_answer {

struct TritonReport {
  std::optional<languages::BuildFailure> failure;  // of triton's compiler, on the answer's line
  std::string raised;                              // where forward ended before its end, in its own words
};

/// `answer`: what messages call it.
TritonReport read_triton_report(const std::string& text, const std::string& answer);

}  // namespace ridgeline::torch_answer
