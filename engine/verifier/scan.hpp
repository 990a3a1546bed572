// Element by element: is it right, and by how much is it off? Raw memory in, numbers out; no tensors.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/dtype.hpp"

namespace ridgeline::verifier {

/// One output as it stands in memory. All arrays have `elements` elements; complex numbers are pairs.
struct Scan {
  DType dtype = DType::float32;
  std::int64_t elements = 0;
  const void* got = nullptr;          ///< in `dtype`
  const void* oracle = nullptr;       ///< double (pairs) for floating and complex dtypes, else `dtype`
  const double* tolerance = nullptr;  ///< null: the value rounded to `dtype` must be equal
  const void* own = nullptr;          ///< the reference in `dtype`; may be null
};

/// Ratios that the quantiles of a scan are taken of, at most: of elements that lie evenly spaced.
inline constexpr std::int64_t ratios_kept = 65536;
constexpr std::int64_t ratio_step(std::int64_t elements) {
  return elements <= ratios_kept ? 1 : (elements + ratios_kept - 1) / ratios_kept;
}

struct ErrorShares {
  double median = 0, p99 = 0;  ///< of errors over tolerances; 0 where there are none
};
/// Reorders `ratios`.
ErrorShares error_shares(std::vector<double>& ratios);

struct ScanResult {
  std::int64_t wrong = 0;
  double worst_absolute = 0, worst_relative = 0;  ///< over finite elements
  double worst_ratio = 0;                         ///< error over tolerance, over finite elements
  double tolerance_at_worst = 0;
  ErrorShares shares;  ///< of at most ratios_kept elements; 0 without tolerance
};

/// A finite error beyond the tolerance is wrong. NaN is right where the oracle is NaN; an infinity where the
/// oracle is the same one, or rounds to it in `dtype`; either also where the reference in the task's own
/// dtype has it. `wrong`, if not null, receives 0 or 1 an element.
ScanResult scan(const Scan& input, std::uint8_t* wrong);

/// Components of elements as doubles; of a complex number, the part that is further off from the oracle.
struct Values {
  std::vector<double> expected, got;
};
Values values_of(const Scan& input);

}  // namespace ridgeline::verifier
