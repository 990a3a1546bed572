// Describes how far a candidate's outputs are from the reference (the trusted computation in float64), in
// numbers that prompts, reports and rewards use. Plain data; engine/verifier/compare.hpp fills it in the
// judge, the trusted process that checks candidates.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/names.hpp"

namespace ridgeline {

/// How the random inputs of a call were chosen.
enum class InputSet {
  standard,  ///< by the task's own distribution
  /// As standard, but about one element in a thousand is multiplied by 50 (KernelBench-X, arXiv 2605.04956).
  /// Only normally or uniformly distributed inputs are changed so.
  outlier,
  edge  ///< zeros, ties, extremes, and non-finite values where the operator defines them
};
constexpr auto enum_names(InputSet) {
  return std::to_array<Name<InputSet>>(
      {{InputSet::standard, "standard"}, {InputSet::outlier, "outlier"}, {InputSet::edge, "edge"}});
}

/// Names what the wrong elements have in common. The judge tries the patterns in this order and takes the
/// first that fits.
enum class Pattern {
  not_written,  ///< they hold the value with which the judge filled the buffer before the call
  all_zero,     ///< every element of the output is 0
  constant,     ///< every element of the output has the same value
  not_finite,   ///< they are infinite or NaN
  shifted,      ///< the values are right, but displaced along the last axis
  transposed,   ///< the values are right, but the last two axes are swapped
  permuted,     ///< the values are right, but in other places
  tail,         ///< only the end of the buffer, or of each row: a boundary was missed
  head,         ///< only the beginning of the buffer, or of each row
  rows,         ///< some whole rows
  columns,      ///< some whole columns
  tile,         ///< a rectangular block
  border,       ///< a frame around the last two axes
  scaled,       ///< one common factor would make nearly all elements right
  precision,    ///< they are all close to the right values: lower precision or an unstable sum
  scattered     ///< none of the above fits
};
constexpr auto enum_names(Pattern) {
  return std::to_array<Name<Pattern>>({{Pattern::not_written, "not_written"},
                                       {Pattern::all_zero, "all_zero"},
                                       {Pattern::constant, "constant"},
                                       {Pattern::not_finite, "not_finite"},
                                       {Pattern::shifted, "shifted"},
                                       {Pattern::transposed, "transposed"},
                                       {Pattern::permuted, "permuted"},
                                       {Pattern::tail, "tail"},
                                       {Pattern::head, "head"},
                                       {Pattern::rows, "rows"},
                                       {Pattern::columns, "columns"},
                                       {Pattern::tile, "tile"},
                                       {Pattern::border, "border"},
                                       {Pattern::scaled, "scaled"},
                                       {Pattern::precision, "precision"},
                                       {Pattern::scattered, "scattered"}});
}

/// One element that is wrong. For a complex number both values are of the part that is further off.
struct WrongElement {
  std::vector<std::int64_t> index;  ///< one number per axis
  double expected = 0;
  double got = 0;
};

/// One output that is wrong, in one case of the task (one set of sizes) with one set of inputs.
struct Mismatch {
  std::string case_name;
  bool hidden = false;  ///< whether the case is hidden: prompts then say only "an unseen case"
  InputSet input_set = InputSet::standard;
  std::string output;               ///< name of the output tensor
  std::vector<std::int64_t> shape;  ///< of the output
  std::int64_t elements = 0;        ///< how many the output has
  std::int64_t wrong = 0;           ///< how many of them are wrong
  double worst_absolute = 0;        ///< the largest |got - expected| over elements where that is finite
  /// The largest |got - expected| / |expected|, over the same elements without those whose `expected` is 0.
  double worst_relative = 0;
  /// The allowed |got - expected| of the element whose error is the largest multiple of its own tolerance; 0
  /// for outputs that must be equal exactly, such as integers.
  double tolerance = 0;
  Pattern pattern = Pattern::scattered;
  std::string pattern_detail;       ///< e.g. "rows 96..99 of 100", "columns >= 64 of every row"
  std::vector<WrongElement> first;  ///< the first wrong elements in memory, up to 5
};

/// Errors of one output over one case and input set, as multiples of each element's tolerance: above 1 an
/// element is wrong.
struct ErrorQuantiles {
  std::string case_name;
  InputSet input_set = InputSet::standard;
  std::string output;  ///< name of the output tensor
  double median = 0, p99 = 0, worst = 0;
};

/// Distance of a quantized result to the unquantized computation (KernelBench-X's figures).
struct QuantizationDistance {
  std::string case_name;
  std::string output;      ///< name of the output tensor
  double cosine = 0;       ///< cosine of the angle between the two, as vectors
  double relative_l1 = 0;  ///< sum of |difference| over sum of |unquantized|
  double rmse = 0;         ///< root of the mean squared difference
  double sqnr_db = 0;      ///< signal to quantization noise, in decibels
};

}  // namespace ridgeline
