// Finds degenerate tasks: those whose comparison a kernel accepts that does none of the work.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/names.hpp"
#include "engine/core/task.hpp"
#include "engine/verifier/reference.hpp"

namespace ridgeline::verifier {

/// A kernel that does none of the work, or too little of it.
enum class Null { zeros, constant, input_copy, lower_precision, unquantized, other_draw };
constexpr auto enum_names(Null) {
  return std::to_array<Name<Null>>({{Null::zeros, "zeros"},
                                    {Null::constant, "constant"},
                                    {Null::input_copy, "input_copy"},
                                    {Null::lower_precision, "lower_precision"},
                                    {Null::unquantized, "unquantized"},
                                    {Null::other_draw, "other_draw"}});
}

/// A null kernel that no comparison rejected.
struct NullPass {
  Null kind = Null::zeros;
  std::string detail;  ///< e.g. "a copy of x passes every case"
};

struct NullTest {
  std::vector<NullPass> passed;  ///< nulls that nothing rejected: empty for a sound task
  bool degenerate() const { return !passed.empty(); }
};

/// Tries every null kernel that fits the task on all non-final cases and all input sets, until one
/// comparison rejects it. `other_draw` (the result for other inputs) is tried on each timed case by itself,
/// in the set `standard` and under the contract elementwise: a kernel that has learned it can give it in all
/// timed calls. `lower_precision` (inputs and outputs rounded to the next lower precision) is tried under the
/// contract elementwise where it is forbidden; `unquantized` under the contract quantized. Throws BadInput
/// where the reference fails.
NullTest null_test(const Task& task, const Reference& reference, std::uint64_t seed);

}  // namespace ridgeline::verifier
