#include "engine/verifier/scan.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "engine/verifier/elements.hpp"
#include "engine/verifier/parallel.hpp"

namespace ridgeline::verifier {
namespace {

/// Whether both are NaN, or the same infinity.
bool same_class(double got, double other) {
  if (std::isnan(got)) return std::isnan(other);
  return std::isinf(got) && got == other;
}

/// Decides a component that is not finite, or whose oracle is not.
bool special_is_right(double got, double oracle, double tolerance, double own, double limit,
                      double roundoff) {
  if (std::isinf(tolerance) || same_class(got, oracle)) return true;
  if (!std::isfinite(got) && same_class(got, own)) return true;
  if (std::isinf(oracle)) return false;
  // In the last step below overflow, a correct result may land on either side.
  const bool overflows = std::fabs(oracle) + tolerance >= limit * (1 - roundoff);
  return std::isinf(got) && overflows && (got > 0) == (oracle > 0);
}

/// Compares floating and complex elements.
template <class T>
struct Reals {
  explicit Reals(const Scan& s)
      : got(static_cast<const T*>(s.got)),
        own(static_cast<const T*>(s.own)),
        oracle(static_cast<const double*>(s.oracle)),
        tolerance(s.tolerance),
        parts(components(s.dtype)),
        limit(largest(s.dtype)),
        roundoff(unit_roundoff(s.dtype)) {}

  double expected(std::int64_t i) const {
    return tolerance != nullptr ? oracle[i] : to_double(from_double<T>(oracle[i]));
  }
  double room(std::int64_t element) const { return tolerance != nullptr ? tolerance[element] : 0; }

  double error(std::int64_t element) const {
    if (parts == 1) return std::fabs(to_double(got[element]) - expected(element));
    const auto at = 2 * element;
    return std::hypot(to_double(got[at]) - expected(at), to_double(got[at + 1]) - expected(at + 1));
  }

  double magnitude(std::int64_t element) const {
    return parts == 1 ? std::fabs(expected(element))
                      : std::hypot(expected(2 * element), expected(2 * element + 1));
  }

  bool is_right(std::int64_t element, double error_here) const {
    const double room_here = room(element);
    if (error_here <= room_here && std::isfinite(error_here)) return true;
    bool special = false;
    // One special component does not excuse the other of a complex number.
    for (auto i = element * parts; i < (element + 1) * parts; ++i) {
      const double g = to_double(got[i]), o = expected(i);
      if (std::isfinite(g) && std::isfinite(o) && std::fabs(g - o) <= room_here) continue;
      special = true;
      if (std::isfinite(g) && std::isfinite(o)) return false;
      const double w = own != nullptr ? to_double(own[i]) : o;
      if (!special_is_right(g, o, room_here, w, limit, roundoff)) return false;
    }
    return special;
  }

  const T* got;
  const T* own;
  const double* oracle;
  const double* tolerance;
  std::int64_t parts;
  double limit, roundoff;
};

/// Compares integers and bools.
template <class T>
struct Integers {
  explicit Integers(const Scan& s)
      : got(static_cast<const T*>(s.got)), oracle(static_cast<const T*>(s.oracle)), tolerance(s.tolerance) {}

  double room(std::int64_t i) const { return tolerance != nullptr ? tolerance[i] : 0; }
  double error(std::int64_t i) const {
    // Different 64-bit integers may be equal as doubles; they count as 1 apart.
    return got[i] == oracle[i] ? 0 : std::max(1.0, std::fabs(to_double(got[i]) - to_double(oracle[i])));
  }
  double magnitude(std::int64_t i) const { return std::fabs(to_double(oracle[i])); }
  bool is_right(std::int64_t i, double error_here) const { return error_here <= room(i); }

  const T* got;
  const T* oracle;
  const double* tolerance;
};

/// Scans elements begin..end-1. Writes the ratio of every `step`-th element to its place in `ratios`.
template <class Kind>
ScanResult scan_range(const Kind& kind, const Scan& input, std::int64_t begin, std::int64_t end,
                      std::int64_t step, std::vector<double>& ratios, std::uint8_t* wrong) {
  ScanResult result;
  for (auto i = begin; i < end; ++i) {
    const double error = kind.error(i), room = kind.room(i);
    const bool right = kind.is_right(i, error);
    if (!right) ++result.wrong;
    if (wrong != nullptr) wrong[i] = right ? 0 : 1;
    const bool counts = std::isfinite(error);
    if (counts && error > 0) {
      result.worst_absolute = std::max(result.worst_absolute, error);
      const double magnitude = kind.magnitude(i);
      if (magnitude > 0) result.worst_relative = std::max(result.worst_relative, error / magnitude);
    }
    if (input.tolerance == nullptr) continue;
    const double ratio = counts ? error / room : 0;
    if (ratio > result.worst_ratio) {
      result.worst_ratio = ratio;
      result.tolerance_at_worst = room;
    }
    if (i % step == 0) ratios[static_cast<std::size_t>(i / step)] = ratio;
  }
  return result;
}

void add(ScanResult& sum, const ScanResult& more) {
  sum.wrong += more.wrong;
  sum.worst_absolute = std::max(sum.worst_absolute, more.worst_absolute);
  sum.worst_relative = std::max(sum.worst_relative, more.worst_relative);
  if (more.worst_ratio <= sum.worst_ratio) return;
  sum.worst_ratio = more.worst_ratio;
  sum.tolerance_at_worst = more.tolerance_at_worst;
}

template <class Kind>
ScanResult scan_as(const Kind& kind, const Scan& input, std::uint8_t* wrong) {
  const auto step = ratio_step(input.elements);
  std::vector<double> ratios(static_cast<std::size_t>((input.elements + step - 1) / step));
  std::vector<ScanResult> of_range(static_cast<std::size_t>(ranges_in(input.elements)));
  in_ranges(input.elements, [&](std::int64_t begin, std::int64_t end) {
    of_range[static_cast<std::size_t>(begin / range_length)] =
        scan_range(kind, input, begin, end, step, ratios, wrong);
  });
  ScanResult result;
  // Ranges are added in their order, so the result does not depend on the number of threads.
  for (const auto& part : of_range) add(result, part);
  if (input.tolerance != nullptr) result.shares = error_shares(ratios);
  return result;
}

}  // namespace

ErrorShares error_shares(std::vector<double>& ratios) {
  if (ratios.empty()) return {};
  const auto at = [&](double share) {
    const auto place =
        ratios.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(ratios.size() - 1));
    std::nth_element(ratios.begin(), place, ratios.end());
    return *place;
  };
  const double median = at(0.5);
  return {median, at(0.99)};
}

ScanResult scan(const Scan& input, std::uint8_t* wrong) {
  return with_type(input.dtype, [&]<class T>(T*) {
    if constexpr (std::is_integral_v<T>)
      return scan_as(Integers<T>(input), input, wrong);
    else
      return scan_as(Reals<T>(input), input, wrong);
  });
}

Values values_of(const Scan& input) {
  Values values;
  const auto parts = components(input.dtype);
  with_type(input.dtype, [&]<class T>(T*) {
    const auto* got = static_cast<const T*>(input.got);
    const auto expected = [&](std::int64_t i) {
      if constexpr (std::is_integral_v<T>)
        return to_double(static_cast<const T*>(input.oracle)[i]);
      else
        return static_cast<const double*>(input.oracle)[i];
    };
    for (auto* side : {&values.expected, &values.got})
      side->reserve(static_cast<std::size_t>(input.elements));
    for (std::int64_t element = 0; element < input.elements; ++element) {
      auto i = element * parts;
      if (parts == 2 &&
          !(std::fabs(to_double(got[i]) - expected(i)) >= std::fabs(to_double(got[i + 1]) - expected(i + 1))))
        ++i;
      values.expected.push_back(expected(i));
      values.got.push_back(to_double(got[i]));
    }
  });
  return values;
}

}  // namespace ridgeline::verifier
