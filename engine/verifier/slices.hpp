// Cuts a derivation along dimension 0, so that outputs of gigabytes are computed some rows at a time.
//
// A row of an output may depend on other rows (batch_norm in training, a norm over the whole batch), and then
// some rows computed alone are another result. So nothing is cut on trust, and each set of inputs is proved
// anew, in the task's own dtype. First, all rows but one to three are drawn anew, and those must keep
// their bits. Then, what the slices give must be what the whole batch gives, at every element, up to
// rounding. Where either fails, nothing is cut.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/core/mismatch.hpp"
#include "engine/core/task.hpp"
#include "engine/verifier/reference.hpp"

namespace ridgeline::verifier {

/// How runs of a reference are cut.
struct SlicePlan {
  std::int64_t slice_rows = 0;        ///< of each slice; the last may have fewer; 0: nothing is cut
  std::int64_t all_rows = 0;          ///< dimension 0 of every output, and of the inputs that are cut
  std::vector<bool> cut_inputs = {};  ///< for each in and inout tensor; the others go whole to each slice
  bool cuts() const { return slice_rows > 0; }
};

/// Plans slices in which no tensor has more than `elements` elements, or one row. Empty where nothing can be
/// cut (outputs without a common dimension 0 of the inputs, integers, contracts that are not judged on a
/// device or not element by element), and where the whole is no larger.
SlicePlan plan_slices(const Task& task, const Case& task_case, std::int64_t elements);

/// Whether rows of the outputs keep their bits when other rows of the batched inputs are drawn anew. `own`:
/// the reference's outputs for `inputs` in the task's dtype. Draws and runs once; throws as these do.
bool rows_are_independent(const Reference& reference, const Task& task, const Case& task_case, InputSet set,
                          const std::vector<at::Tensor>& inputs, const SlicePlan& plan,
                          const std::vector<at::Tensor>& own);

/// Whether the slices give what the whole gives, `own`, in the task's dtype: agree_up_to_rounding at every
/// element. Throws as `run_in_slices`.
bool slices_agree(const Reference& reference, const Task& task, const Case& task_case,
                  const std::vector<at::Tensor>& inputs, const SlicePlan& plan,
                  const std::vector<at::Tensor>& own);

/// Whether two results for the same rows are the same up to rounding: no element differs by more than 2^-14
/// (2^-6 in 16 bits) of its magnitude or of its row's root mean square, whichever is larger; infinities and
/// NaN are at the same places.
bool agree_up_to_rounding(const at::Tensor& part, const at::Tensor& own);

/// Receives the outputs of one slice, rows `begin` and on, in float64.
using TakeSlice = std::function<void(std::int64_t begin, const std::vector<at::Tensor>& outputs)>;

/// Runs all slices as Reference::run_perturbed would run the whole. Requires `reference.runs_rows()`. Throws
/// as the reference does, and BadInput where it returns other rows than it was given.
void run_in_slices(const Reference& reference, const Task& task, const Case& task_case,
                   const std::vector<at::Tensor>& inputs, const SlicePlan& plan, double step,
                   std::uint64_t seed, const TakeSlice& take);

}  // namespace ridgeline::verifier
