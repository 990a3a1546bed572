// Modes of torch.compile for the second baseline: the values of its argument `mode`, as the documentation of
// torch 2.11 names them.
#pragma once

#include "engine/core/names.hpp"

namespace ridgeline {

enum class CompileMode {
  standard,         ///< what torch.compile does by itself
  reduce_overhead,  ///< launches by replay of a graph
  max_autotune,     ///< tries variants of kernels, and replays a graph
  max_autotune_no_cudagraphs
};
constexpr auto enum_names(CompileMode) {
  return std::to_array<Name<CompileMode>>(
      {{CompileMode::standard, "default"},
       {CompileMode::reduce_overhead, "reduce-overhead"},
       {CompileMode::max_autotune, "max-autotune"},
       {CompileMode::max_autotune_no_cudagraphs, "max-autotune-no-cudagraphs"}});
}

}  // namespace ridgeline
