// Describes how far outputs are from the reference, in numbers that prompts, reports and rewards use. Plain
// data; engine/verifier/compare.hpp fills it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/core/names.hpp"

namespace ridgeline {

/// Where the values of a drawn input set come from.
enum class InputSet {
  standard,  ///< the task's own distribution
  outlier,   ///< each element with probability 0.001 times 50 (KernelBench-X, arXiv 2605.04956)
  edge       ///< zeros, ties, extremes, non-finite values where the operator defines them
};
constexpr auto enum_names(InputSet) {
  return std::to_array<Name<InputSet>>(
      {{InputSet::standard, "standard"}, {InputSet::outlier, "outlier"}, {InputSet::edge, "edge"}});
}

/// Which elements are wrong. The judge tries them in this order and names the first that fits.
enum class Pattern {
  not_written,  ///< the judge's poison still stands
  all_zero,
  constant,
  not_finite,
  shifted,  ///< the right values, displaced along the last axis
  transposed,
  tail,  ///< only the end of the buffer or of each row: a boundary was missed
  head,
  rows,  ///< some rows whole
  columns,
  tile,       ///< a rectangular block
  scaled,     ///< one factor would make nearly all of them right
  precision,  ///< many elements, all close: lower precision or an unstable sum
  scattered
};
constexpr auto enum_names(Pattern) {
  return std::to_array<Name<Pattern>>({{Pattern::not_written, "not_written"},
                                       {Pattern::all_zero, "all_zero"},
                                       {Pattern::constant, "constant"},
                                       {Pattern::not_finite, "not_finite"},
                                       {Pattern::shifted, "shifted"},
                                       {Pattern::transposed, "transposed"},
                                       {Pattern::tail, "tail"},
                                       {Pattern::head, "head"},
                                       {Pattern::rows, "rows"},
                                       {Pattern::columns, "columns"},
                                       {Pattern::tile, "tile"},
                                       {Pattern::scaled, "scaled"},
                                       {Pattern::precision, "precision"},
                                       {Pattern::scattered, "scattered"}});
}

struct WrongElement {
  std::vector<std::int64_t> index;
  double expected = 0;  ///< for a complex number, its part that is further off
  double got = 0;
};

struct Mismatch {
  std::string case_name;
  bool hidden = false;  ///< whether the case is hidden: prompts then say only "an unseen case"
  InputSet input_set = InputSet::standard;
  std::string output;
  std::vector<std::int64_t> shape;
  std::int64_t elements = 0;
  std::int64_t wrong = 0;
  double worst_absolute = 0;  ///< the largest |got - expected| over finite elements
  double worst_relative = 0;  ///< the largest of that over |expected|
  double tolerance = 0;       ///< absolute, at the worst element
  Pattern pattern = Pattern::scattered;
  std::string pattern_detail;       ///< e.g. "rows 96..99 of 100", "columns >= 64 of every row"
  std::vector<WrongElement> first;  ///< up to 5
};

/// Errors of one output over one case and input set, as multiples of the tolerance: above 1 an element is
/// wrong.
struct ErrorQuantiles {
  std::string case_name;
  InputSet input_set = InputSet::standard;
  std::string output;
  double median = 0, p99 = 0, worst = 0;
};

/// Distance of a quantized result to the unquantized computation (KernelBench-X's figures).
struct QuantizationDistance {
  std::string case_name;
  std::string output;
  double cosine = 0, relative_l1 = 0, rmse = 0, sqnr_db = 0;
};

}  // namespace ridgeline
