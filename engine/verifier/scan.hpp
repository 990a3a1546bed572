// Compares an output element by element: is it right, and how far is it off? Raw memory in, numbers out; no
// tensors.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/dtype.hpp"

namespace ridgeline::verifier {

/// One output in memory beside what it is compared with. All arrays have `elements` elements; complex
/// numbers are pairs.
struct Scan {
  DType dtype = DType::float32;
  std::int64_t elements = 0;
  const void* got = nullptr;          ///< in `dtype`
  const void* oracle = nullptr;       ///< double (pairs) for floating and complex dtypes, else `dtype`
  const double* tolerance = nullptr;  ///< null: the value rounded to `dtype` must be equal
  const void* own = nullptr;          ///< the reference in `dtype`; may be null
};

/// The most ratios that a scan's quantiles are computed from: those of evenly spaced elements.
inline constexpr std::int64_t ratios_kept = 65536;
/// Every how many elements a ratio is kept.
constexpr std::int64_t ratio_step(std::int64_t elements) {
  return elements <= ratios_kept ? 1 : (elements + ratios_kept - 1) / ratios_kept;
}

/// Quantiles of errors over tolerances; 0 where there are no tolerances.
struct ErrorShares {
  double median = 0, p99 = 0;
};
/// Computes the quantiles; reorders `ratios`.
ErrorShares error_shares(std::vector<double>& ratios);

/// The figures of one scanned output.
struct ScanResult {
  std::int64_t wrong = 0;
  double worst_absolute = 0, worst_relative = 0;  ///< over finite elements
  double worst_ratio = 0;                         ///< error over tolerance, over finite elements
  double tolerance_at_worst = 0;
  ErrorShares shares;  ///< from at most ratios_kept elements
};

/// Compares all elements, on several threads. A finite error beyond the tolerance is wrong. NaN is right
/// where the oracle is NaN; an infinity where the oracle is the same infinity, or rounds to it in `dtype`;
/// both also where the reference in the task's own dtype has them. `wrong`, if not null, receives 0 or 1 for
/// each element.
ScanResult scan(const Scan& input, std::uint8_t* wrong);

/// Elements as doubles; for a complex number, the component that is further off from the oracle.
struct Values {
  std::vector<double> expected, got;
};
/// Converts a scanned output for the detectors of patterns.
Values values_of(const Scan& input);

}  // namespace ridgeline::verifier
