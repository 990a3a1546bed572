// Renders a model request as the text that is sent: the template of its role, filled with the task, the
// machine and the feedback as digests within their budgets.
#pragma once

#include <cstddef>
#include <string>

#include "engine/core/effects.hpp"
#include "prompts/knowledge_index.hpp"
#include "prompts/templates.hpp"

namespace ridgeline::prompts {

/// Describes where the kernel will run. Device and toolchain are clauses without a full stop.
struct Machine {
  std::string device;  ///< "one thread of an AMD EPYC 9B14 with AVX2 (measured: 9.8 GB/s, 61 GFLOP/s fp32)"
  std::string toolchain;        ///< "g++ 12.2 -O3 -march=native -std=c++20"
  std::string backend = "cpu";  ///< or "cuda"
};

/// A prompt in the two parts that providers take.
struct RenderedPrompt {
  std::string system;
  std::string user;
  /// Length of the beginning of `user` that depends on the task, the rules and the machine alone. All
  /// requests of a trajectory share it, so a provider may cache it.
  std::size_t stable_bytes = 0;
};

/// Depends on its arguments alone. Throws BadInput for a role without a template, and naming file and line if
/// a template uses a variable that is neither a standard one nor among `ask.variables`. `knowledge` is the
/// campaign's corpus; null if it has none, which is a BadInput for an ask with a KnowledgeFeedback.
RenderedPrompt render(const Templates& templates, const Ask& ask, const Brief& brief, const Machine& machine,
                      const KnowledgeIndex* knowledge = nullptr);

}  // namespace ridgeline::prompts
