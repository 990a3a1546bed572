// How a suite's files are posed otherwise than as they are: in another precision, or with smaller shapes.
// What is posed so is a task of its own: it bears an ending in its name and in its group, so that no table
// adds it up with the file as it is.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/core/dtype.hpp"
#include "engine/suites/modules/native_task.hpp"

namespace ridgeline::suites::modules {

struct Posing {
  std::optional<DType> cast_to;  ///< float16 or bfloat16; empty: the file's own, which is float32
  std::int64_t divisor = 1;      ///< the scale is one over it

  bool as_it_is() const { return !cast_to && divisor == 1; }
  /// Returns "", " bf16", " 1/4" or " bf16 1/4": after names of files and groups.
  std::string mark() const;
  /// Returns the same for a C identifier: "", "_bf16", "_scale4" or "_scale4_bf16". The precision comes last,
  /// where comparisons look for it (engine/compare/precision_pairs.cpp).
  std::string ending() const;
};

/// Reads KernelBench's words for a precision: fp32, which is no cast, fp16, bf16. Throws BadInput, beginning
/// with `option`.
std::optional<DType> parse_precision(const std::string& text, const std::string& option);

/// Reads "1/4", or "1", as its divisor. Throws BadInput, beginning with `option`.
std::int64_t parse_scale(const std::string& text, const std::string& option);

/// Returns the names with the marks of a posing.
TaskNames posed(TaskNames names, const Posing& posing);

}  // namespace ridgeline::suites::modules
