#include "engine/verifier/script_randomness.hpp"

#include <fmt/format.h>
#include <torch/csrc/jit/api/function_impl.h>
#include <torch/csrc/jit/ir/ir.h>

namespace ridgeline::verifier {
namespace {

/// The first node, in the order of the text, that draws; nullptr if none does.
const torch::jit::Node* first_drawing(const torch::jit::Block& block) {
  for (const auto* node : block.nodes()) {
    if (node->kind().is_aten() && node->isNondeterministic()) return node;
    for (const auto* inner : node->blocks())
      if (const auto* found = first_drawing(*inner)) return found;
  }
  return nullptr;
}

}  // namespace

std::optional<ScriptError> find_randomness(const torch::jit::CompilationUnit& unit) {
  for (auto* function : unit.get_functions()) {
    const auto* node = first_drawing(*torch::jit::toGraphFunction(*function).graph()->block());
    if (!node) continue;
    ScriptError drawing;
    drawing.what = fmt::format("{} draws random numbers", node->kind().toUnqualString());
    const auto& range = node->sourceRange();
    if (const auto& source = range.source()) {
      const auto line = source->lineno_for_offset(range.start());
      drawing.line = static_cast<int>(line) + 1;
      drawing.column = static_cast<int>(range.start() - source->offset_for_line(line)) + 1;
    }
    return drawing;
  }
  return std::nullopt;
}

}  // namespace ridgeline::verifier
