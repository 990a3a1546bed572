// Classifies what the wrong elements of an output have in common. Plain numbers, no tensors. Each detector
// is a pure function that recognizes one pattern.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "engine/core/mismatch.hpp"

namespace ridgeline::verifier {

/// One output as a matrix. A row runs along the output's last axis, so `columns` is the extent of that axis.
/// Each span holds rows * columns elements, row by row, and is owned by the caller; `wrong` and `unwritten`
/// hold 0 or 1 for each element.
struct Field {
  std::int64_t rows = 1, columns = 0;
  std::span<const double> expected, got, tolerance;
  std::span<const std::uint8_t> wrong, unwritten;
  /// Extent of the last axis but one: every `height` rows are a matrix that may be transposed.
  std::int64_t height = 1;

  std::int64_t size() const { return rows * columns; }
  bool is_wrong(std::int64_t i) const { return wrong[static_cast<std::size_t>(i)] != 0; }
  std::int64_t count_wrong() const;
  /// Whether `value` would be right at the element `at`. NaN is right where NaN is expected.
  bool is_right(double value, std::size_t at) const;
};

/// A recognized pattern.
struct Finding {
  Pattern pattern = Pattern::scattered;
  std::string detail;  ///< for people: "rows 96..99 of 100"
};

/// Returns the first pattern that fits, in the order of the enum Pattern; `scattered` if none fits.
/// `field.wrong` must contain a 1.
Finding classify(const Field& field);

// Each returns a Finding with its pattern if that explains the wrong elements, else nullopt. `tail` and
// `head` are the end and the beginning of the whole output, or of every row, and at most half of the output
// or row. `border` is a frame in each matrix of the last two axes. find_precision never matches exact
// outputs, whose tolerances are all 0.
std::optional<Finding> find_not_written(const Field& field);
std::optional<Finding> find_all_zero(const Field& field);
std::optional<Finding> find_constant(const Field& field);
std::optional<Finding> find_not_finite(const Field& field);
std::optional<Finding> find_shifted(const Field& field);
std::optional<Finding> find_transposed(const Field& field);
std::optional<Finding> find_permuted(const Field& field);
std::optional<Finding> find_tail(const Field& field);
std::optional<Finding> find_head(const Field& field);
std::optional<Finding> find_rows(const Field& field);
std::optional<Finding> find_columns(const Field& field);
std::optional<Finding> find_tile(const Field& field);
std::optional<Finding> find_border(const Field& field);
std::optional<Finding> find_scaled(const Field& field);
std::optional<Finding> find_precision(const Field& field);

}  // namespace ridgeline::verifier
