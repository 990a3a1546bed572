#include "engine/verifier/edge.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/verifier/elements.hpp"
#include "engine/verifier/parallel.hpp"

namespace ridgeline::verifier {
namespace {

enum class Edge { as_drawn, zeros, signed_zeros, equal, ties, extremes, tiny, spread };
/// The edge of each row in turn; two of nine rows stay as drawn, so that ordinary values meet hard ones.
constexpr std::array row_edges{Edge::as_drawn, Edge::zeros, Edge::equal,  Edge::ties,        Edge::as_drawn,
                               Edge::extremes, Edge::tiny,  Edge::spread, Edge::signed_zeros};

/// The closed interval of values that may stand in a tensor of independent numbers.
struct Domain {
  double low, high;
  bool has_zero() const { return low <= 0 && high >= 0; }
  double clamp(double value) const { return std::clamp(value, low, high); }
};

Domain domain_of(const DrawPlan& plan) {
  const bool real = is_floating_or_complex(plan.dtype);
  // An integer out of its dtype's range has no defined value, and a bool that is neither 0 nor 1 breaks
  // kernels. Real numbers leave room for sums.
  const double part = real ? 0.25 : 1;
  const Domain dtype{part * lowest(plan.dtype), part * largest(plan.dtype)};
  if (plan.draw == Draw::bernoulli) return {0, 1};
  if (plan.draw == Draw::uniform) {
    if (real) return {plan.low, std::max(plan.low, next_below(plan.dtype, plan.high))};
    return {dtype.clamp(plan.low), dtype.clamp(plan.high - 1)};
  }
  // Outliers are 50 times a normal number, yet twelve deviations already overflow exp in 16 bits.
  const double reach = (plan.outliers ? 12 : 4) * std::fabs(plan.high);
  return {dtype.clamp(plan.low - reach), dtype.clamp(plan.low + reach)};
}

/// A value of few digits, so that sums of equal values have no rounding errors that all point one way.
double short_value(const Domain& domain, const DrawPlan& plan, double share) {
  const double value = domain.low + share * (domain.high - domain.low);
  return domain.clamp(is_floating_or_complex(plan.dtype) ? round_to_digits(value, 4) : std::floor(value));
}

template <class T>
class Layer {
 public:
  Layer(const DrawPlan& plan, const Random& random) : plan_(plan), random_(random), domain_(domain_of(plan)) {
    for (int i = 0; i < 3; ++i)
      shares_[static_cast<std::size_t>(i)] = random.fork(1).unit(static_cast<std::uint64_t>(i));
  }

  /// Numbers `first`..`last` of the tensor become `edge`.
  void lay(Edge edge, std::int64_t first, std::int64_t last, T* out) const {
    if (edge == Edge::as_drawn) return;
    const double equal = short_value(domain_, plan_, random_.fork(2).unit(static_cast<std::uint64_t>(first)));
    for (auto i = first; i < last; ++i) out[i] = from_double<T>(value(edge, i, equal));
  }

 private:
  double value(Edge edge, std::int64_t i, double equal) const {
    const auto at = static_cast<std::uint64_t>(i);
    // A domain without zero gets its lower end instead.
    const double zero = domain_.has_zero() ? 0 : short_value(domain_, plan_, 0);
    switch (edge) {
      case Edge::zeros:
        return zero;
      case Edge::signed_zeros:
        return zero == 0 && domain_.low < 0 && i % 2 != 0 ? -0.0 : zero;
      case Edge::ties:
        return short_value(domain_, plan_, shares_[random_.below(at, 3)]);
      case Edge::extremes:
        return random_.below(at, 2) == 0 ? domain_.low : domain_.high;
      case Edge::tiny:
        return tiny(at, zero);
      case Edge::spread:
        return spread(at);
      case Edge::equal:
      case Edge::as_drawn:
        break;
    }
    return equal;
  }

  double tiny(std::uint64_t at, double zero) const {
    if (!is_floating_or_complex(plan_.dtype) || zero != 0) return zero;
    const double unit = smallest_normal(plan_.dtype) * (plan_.dtype == DType::float16 ? 0x1p-10 : 1);
    const double value = unit * static_cast<double>(1 + random_.below(at, 16));
    return domain_.clamp(domain_.low < 0 && random_.fork(3).below(at, 2) != 0 ? -value : value);
  }

  /// Magnitudes from 2^-12 of the interval to all of it, each as likely.
  double spread(std::uint64_t at) const {
    const double width = domain_.high - domain_.low;
    const double part = std::exp2(-12 * random_.unit(at)) * width;
    if (!domain_.has_zero())
      return domain_.clamp(is_floating_or_complex(plan_.dtype) ? domain_.low + part
                                                               : std::floor(domain_.low + part));
    const bool negative = domain_.low < 0 && random_.fork(3).below(at, 2) != 0;
    const double value = negative ? std::max(-part, domain_.low) : std::min(part, domain_.high);
    return is_floating_or_complex(plan_.dtype) ? value : std::trunc(value);
  }

  const DrawPlan& plan_;
  const Random& random_;
  Domain domain_;
  std::array<double, 3> shares_{};
};

template <class T>
void lay_independent(const DrawPlan& plan, const Random& random, T* out) {
  const auto parts = components(plan.dtype);
  const auto count = static_cast<std::int64_t>(row_edges.size());
  const auto length =
      plan.rows() >= count ? plan.row : std::max<std::int64_t>(1, (plan.elements + count - 1) / count);
  const auto start = random.fork(4).below(0, row_edges.size());
  const Layer<T> layer(plan, random);
  in_parallel(length == 0 ? 0 : (plan.elements + length - 1) / length, [&](std::int64_t piece) {
    const auto first = piece * length, last = std::min(first + length, plan.elements);
    layer.lay(row_edges[(start + static_cast<std::uint64_t>(piece)) % row_edges.size()], first * parts,
              last * parts, out);
  });
}

template <class T>
void lay_row(const DrawPlan& plan, const Random& random, std::int64_t r, T* row) {
  const auto n = plan.row;
  // The first row's kind is random, so that a kernel cannot special-case row numbers.
  const auto kind = (static_cast<std::uint64_t>(r) + random.below(0, 3)) % 3;
  if (kind == 2 || n == 0) return;
  if (plan.draw == Draw::sorted) {
    const auto split = kind == 0 ? n : n / 2;
    for (std::int64_t i = 0; i < n; ++i) row[i] = row[i < split ? 0 : n - 1];
    return;
  }
  const double rest = kind == 0 ? 0x1p-7 / static_cast<double>(n) : 1 / static_cast<double>(n);
  for (std::int64_t i = 0; i < n; ++i) {
    if (plan.draw == Draw::permutation)
      row[i] = from_double<T>(static_cast<double>(kind == 0 ? i : n - 1 - i));
    else
      row[i] = from_double<T>(i == 0 ? 1 - rest * static_cast<double>(n - 1) : rest);
  }
}

}  // namespace

void lay_edges(const DrawPlan& plan, const Random& random, void* out) {
  if (is_matrix(plan.draw) || plan.draw == Draw::constant) return;
  with_type(plan.dtype, [&]<class T>(T*) {
    auto* values = static_cast<T*>(out);
    if (is_independent(plan.draw)) return lay_independent(plan, random, values);
    for (std::int64_t r = 0; r < plan.rows(); ++r) lay_row(plan, random, r, values + r * plan.row);
  });
}

}  // namespace ridgeline::verifier
