// From an ask to the text that is sent: the template of its role, the task, the machine, and the feedback as
// digests within their budgets.
#pragma once

#include <cstddef>
#include <string>

#include "engine/core/effects.hpp"
#include "prompts/knowledge_index.hpp"
#include "prompts/templates.hpp"

namespace ridgeline::prompts {

/// What a prompt says about where the kernel will run; both are clauses without a full stop.
struct Machine {
  std::string device;  ///< "one thread of an AMD EPYC 9B14 with AVX2 (measured: 9.8 GB/s, 61 GFLOP/s fp32)"
  std::string toolchain;        ///< "g++ 12.2 -O3 -march=native -std=c++20"
  std::string backend = "cpu";  ///< or "cuda"
};

struct RenderedPrompt {
  std::string system;
  std::string user;
  /// How much of the beginning of `user` the task, the rules and the machine decide alone. Requests of one
  /// trajectory share it, so a provider may keep it.
  std::size_t stable_bytes = 0;
};

/// A function of its arguments alone. Throws BadInput naming file and line where a template uses a variable
/// that neither the standard ones nor `ask.variables` hold, and for a role without a template.
/// `knowledge` is what a KnowledgeFeedback is looked up in; null where the campaign names no folder, which is
/// a BadInput for an ask that has one.
RenderedPrompt render(const Templates& templates, const Ask& ask, const Brief& brief, const Machine& machine,
                      const KnowledgeIndex* knowledge = nullptr);

}  // namespace ridgeline::prompts
