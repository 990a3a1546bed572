// How a suite's files are posed otherwise than as they are: in another precision, or with smaller shapes.
// What is posed so is a task of its own. Its identifier and its group end with a suffix, so that no table
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
  /// The scale is one over it. Whole numbers at the top level of the file that get_inputs reads are divided,
  /// by `divisor` in all: one number by it, or several by factors whose product is at least it.
  std::int64_t divisor = 1;

  bool as_it_is() const { return !cast_to && divisor == 1; }
  /// Returns what follows names of files and groups: "", " bf16", " 1/4" or " bf16 1/4".
  std::string label_suffix() const;
  /// Returns what follows C identifiers: "", "_bf16", "_scale4" or "_scale4_bf16". The precision comes last,
  /// where comparisons look for it (engine/compare/precision_pairs.cpp).
  std::string identifier_suffix() const;
};

/// Reads KernelBench's words for a precision: fp32, which is no cast, fp16, bf16. Throws BadInput, beginning
/// with `option`.
std::optional<DType> parse_precision(const std::string& text, const std::string& option);

/// Returns the divisor of a scale: 4 for "1/4", 1 for "1". Throws BadInput, beginning with `option`.
std::int64_t parse_scale_divisor(const std::string& text, const std::string& option);

/// Returns `names` with the suffixes of `posing`, and a description that says how it is posed.
TaskNames posed(TaskNames names, const Posing& posing);

}  // namespace ridgeline::suites::modules
