// Bounds how far a right output may be from one run of the reference in the task's own dtype, for any inputs
// that are drawn alike. A comparison under such bounds costs a single run of the reference and a few passes,
// where deriving each element's tolerance takes six runs.
//
// Two bounds of the form `constant + relative |own|` are fitted to the tolerances t that were derived for one
// draw (tolerance.hpp):
//
// - `all` holds for every element. It is the narrowest that is nowhere below t, times f. f is 1.5, since both
//   sides may err: the kernel by t, the reference by at most t / 2 (t holds twice or eight times its error).
// - `most` may be exceeded by one element in twenty. It is the narrowest that is at least t for half of the
//   elements, so it is about a tolerance. Lower precision than the task's shows there, in many elements at
//   once: those few whose terms cancel have tolerances far above the rest, and make `all` wide.
//
// A quantized task's elements may be off by rounding ties, which the reference crosses too. There `all` is
// twice `most` and a tie's room, and as many more elements may be beyond `most` as may cross a tie on each
// side.
//
// Whoever is beyond the bounds may still be right, since tolerances differ from draw to draw: only a full
// comparison decides. An honest kernel seldom comes near, since its errors are a small part of t. Whoever is
// within the bounds may be beyond its own tolerance where that is below `most`, and in a twentieth of the
// elements (more if quantized; always one) by what `all` allows.
#pragma once

#include <ATen/core/Tensor.h>

#include <optional>
#include <vector>

#include "engine/core/task.hpp"
#include "engine/verifier/expected.hpp"

namespace ridgeline::verifier {

/// A bound that grows with the magnitude of what is expected.
struct ErrorBound {
  double constant = 0, relative = 0;
};

/// The bounds of one output.
struct OutputBounds {
  bool equal = false;      ///< integers and exact outputs: the rest is not used
  ErrorBound all;          ///< of every element
  ErrorBound most;         ///< of all but `beyond_most` of the elements
  double beyond_most = 1;  ///< share of the elements; one element in any case
  bool infinite = false;   ///< right outputs hold infinities or NaN, which must be equal
};

/// Fits the bounds of each output to `known`, which was derived for one draw of the standard set. Empty if
/// there are none: for a statistical task, one with a check or a choice, and where an operator is undecided
/// at more than one element in a hundred.
std::optional<std::vector<OutputBounds>> fit_error_bounds(const Task& task, const Expected& known);

/// Compares rows of one output, {rows, elements} wherever they lie, with what the reference gave for each.
/// Returns a bool for each row, on that device: nothing waits for it. Infinities and NaN are within no
/// bounds, unless the draw that these were fitted to had some too. Works in float32 for outputs of at most 32
/// bits, where the difference of near numbers is exact and bounds lose nothing that matters; else in float64.
/// Intermediates of large rows are made in pieces.
at::Tensor rows_within(const at::Tensor& got, const at::Tensor& own, const OutputBounds& bounds);

}  // namespace ridgeline::verifier
