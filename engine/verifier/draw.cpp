#include "engine/verifier/draw.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/core/error.hpp"
#include "engine/verifier/elements.hpp"
#include "engine/verifier/parallel.hpp"

namespace ridgeline::verifier {
namespace {

/// Numbers that are made at once: long enough for vector units, short enough for the first-level cache.
constexpr std::size_t block = 1024;

/// Rounds and clamps to an integer type's range.
template <class T>
T to_integer(double value) {
  const double low = static_cast<double>(std::numeric_limits<T>::lowest());
  const double high = static_cast<double>(std::numeric_limits<T>::max());
  const double rounded = std::nearbyint(value);
  if (rounded <= low) return std::numeric_limits<T>::lowest();
  return rounded >= high ? std::numeric_limits<T>::max() : static_cast<T>(rounded);
}

/// Draws numbers begin..end-1 of the stream; `begin` must be a multiple of `block`.
template <class T>
void draw_normal(const DrawPlan& plan, const Random& random, std::size_t begin, std::size_t end, T* out) {
  std::uint32_t words[block];
  float normals[block];
  const auto low_bits = random.fork(1);
  for (std::size_t first = begin; first < end; first += block) {
    const auto here = std::min(block, end - first);
    random.words(first, words, block);
    normal_from_words(words, normals, block);
    if constexpr (std::is_same_v<T, float>) {
      const auto mean = static_cast<float>(plan.low), deviation = static_cast<float>(plan.high);
      for (std::size_t i = 0; i < here; ++i) out[first + i] = mean + deviation * normals[i];
    } else if constexpr (std::is_same_v<T, double>) {
      // A word fills float32's digits only; the digits below them are drawn apart.
      for (std::size_t i = 0; i < here; ++i)
        out[first + i] = plan.low + plan.high * (static_cast<double>(normals[i]) *
                                                 (1 + 0x1p-23 * (low_bits.unit(first + i) - 0.5)));
    } else if constexpr (std::is_integral_v<T>) {
      for (std::size_t i = 0; i < here; ++i)
        out[first + i] = to_integer<T>(plan.low + plan.high * static_cast<double>(normals[i]));
    } else {
      for (std::size_t i = 0; i < here; ++i)
        out[first + i] = from_double<T>(plan.low + plan.high * static_cast<double>(normals[i]));
    }
  }
}

template <class T>
void draw_uniform(const DrawPlan& plan, const Random& random, std::size_t begin, std::size_t end, T* out) {
  if constexpr (std::is_integral_v<T>) {
    const auto low = static_cast<std::int64_t>(plan.low);
    const auto range = static_cast<std::uint64_t>(plan.high - plan.low);
    for (std::size_t i = begin; i < end; ++i)
      out[i] = static_cast<T>(low + static_cast<std::int64_t>(random.below(i, range)));
  } else {
    // Rounding to a narrow dtype may reach the bound that the distribution excludes.
    const double top = next_below(plan.dtype, plan.high), width = plan.high - plan.low;
    for (std::size_t i = begin; i < end; ++i)
      out[i] = from_double<T>(std::min(top, plan.low + width * random.unit(i)));
  }
}

template <class T>
void draw_sorted_row(const DrawPlan& plan, const Random& random, T* out) {
  const auto n = static_cast<std::size_t>(plan.row);
  // The order statistics of a uniform sample are partial sums of exponential gaps: no sort is needed.
  std::vector<double> sums(n + 1);
  double sum = 0;
  for (std::size_t i = 0; i <= n; ++i) sums[i] = sum -= std::log1p(-random.unit(i));
  const double width = plan.high - plan.low;
  const double top = std::is_integral_v<T> ? plan.high - 1 : next_below(plan.dtype, plan.high);
  for (std::size_t i = 0; i < n; ++i) {
    const double value = plan.low + width * (sums[i] / sum);
    out[i] = from_double<T>(std::min(top, std::is_integral_v<T> ? std::floor(value) : value));
  }
}

template <class T>
void draw_permutation_row(const DrawPlan& plan, const Random& random, T* out) {
  // Fisher-Yates, inside out: the identity is never written first.
  const auto n = static_cast<std::size_t>(plan.row);
  for (std::size_t i = 0; i < n; ++i) {
    const auto j = random.below(i, i + 1);
    out[i] = out[j];
    out[j] = from_double<T>(static_cast<double>(i));
  }
}

template <class T>
void draw_probability_row(const DrawPlan& plan, const Random& random, T* out) {
  const auto n = static_cast<std::size_t>(plan.row);
  std::vector<double> weights(n);
  double sum = 0;
  // Exponential weights make a flat Dirichlet sample. The small constant keeps zeros out, whose logarithm is
  // infinite.
  for (std::size_t i = 0; i < n; ++i) sum += weights[i] = 0x1p-20 - std::log1p(-random.unit(i));
  for (std::size_t i = 0; i < n; ++i) out[i] = from_double<T>(weights[i] / sum);
}

void draw_range(const DrawPlan& plan, const Random& random, std::size_t begin, std::size_t end, void* out) {
  with_type(plan.dtype, [&]<class T>(T*) {
    auto* values = static_cast<T*>(out);
    switch (plan.draw) {
      case Draw::normal:
        return draw_normal(plan, random, begin, end, values);
      case Draw::uniform:
        return draw_uniform(plan, random, begin, end, values);
      case Draw::bernoulli:
        for (std::size_t i = begin; i < end; ++i)
          values[i] = from_double<T>(random.unit(i) < plan.high ? 1 : 0);
        return;
      default:
        std::fill(values + begin, values + end, from_double<T>(plan.low));
    }
  });
  // Any byte but 0 and 1 in a bool is undefined behaviour for a kernel that reads it as one.
  if (plan.dtype == DType::boolean)
    for (std::size_t i = begin; i < end; ++i)
      static_cast<std::uint8_t*>(out)[i] = static_cast<std::uint8_t*>(out)[i] != 0;
}

[[noreturn]] void refuse(const DrawPlan& plan, const std::string& why) {
  throw BadInput(
      fmt::format("the input '{}' cannot be drawn as {}: {}", plan.name, to_string(plan.draw), why));
}

void check(const DrawPlan& plan) {
  const bool real = is_floating_or_complex(plan.dtype);
  switch (plan.draw) {
    case Draw::uniform:
    case Draw::sorted:
      if (is_complex(plan.dtype) && plan.draw == Draw::sorted) refuse(plan, "complex numbers have no order");
      if (!(plan.high > plan.low) || (!real && plan.high - plan.low < 1)) refuse(plan, "its range is empty");
      return;
    case Draw::probabilities:
      if (!is_floating(plan.dtype)) refuse(plan, "it needs a floating dtype");
      return;
    case Draw::positive_definite:
    case Draw::symmetric:
    case Draw::well_conditioned:
      if (plan.shape.size() < 2) refuse(plan, "it needs two axes");
      if (!real) refuse(plan, "it needs a floating or complex dtype");
      if (plan.draw != Draw::well_conditioned && plan.shape.end()[-1] != plan.shape.end()[-2])
        refuse(plan, "its last two axes must be equal");
      return;
    case Draw::bernoulli:
      if (!(plan.high >= 0 && plan.high <= 1)) refuse(plan, "'high' is the probability of a 1, from 0 to 1");
      return;
    case Draw::permutation:
      if (is_complex(plan.dtype)) refuse(plan, "it needs an integer dtype");
      return;
    case Draw::normal:
    case Draw::constant:
    case Draw::reference:
      return;
  }
}

}  // namespace

DrawPlan plan_draw(const Tensor& tensor, const Symbols& sizes) {
  DrawPlan plan;
  plan.name = tensor.name;
  plan.dtype = tensor.dtype;
  plan.draw = tensor.input.draw;
  plan.low = tensor.input.low.evaluate(sizes);
  plan.high = tensor.input.high.evaluate(sizes);
  plan.outliers = tensor.input.outliers;
  plan.shape = shape_of(tensor, sizes);
  plan.elements = element_count(tensor, sizes);
  plan.row = plan.shape.empty() ? 1 : plan.shape.back();
  check(plan);
  return plan;
}

bool is_independent(Draw draw) {
  return draw == Draw::normal || draw == Draw::uniform || draw == Draw::bernoulli || draw == Draw::constant;
}

bool is_matrix(Draw draw) {
  return draw == Draw::positive_definite || draw == Draw::symmetric || draw == Draw::well_conditioned;
}

void draw_independent(const DrawPlan& plan, const Random& random, std::int64_t count, void* out) {
  static_assert(range_length % std::int64_t{block} == 0);
  in_ranges(count * components(plan.dtype), [&](std::int64_t first, std::int64_t last) {
    draw_range(plan, random, static_cast<std::size_t>(first), static_cast<std::size_t>(last), out);
  });
}

bool takes_outliers(const DrawPlan& plan) {
  return plan.outliers && is_floating_or_complex(plan.dtype) &&
         (plan.draw == Draw::normal || plan.draw == Draw::uniform);
}

void add_outliers(const DrawPlan& plan, const Random& random, std::int64_t count, void* out) {
  if (count == 0) return;
  const auto parts = components(plan.dtype);
  with_type(plan.dtype, [&]<class T>(T*) {
    auto* values = static_cast<T*>(out);
    const auto enlarge = [&](std::int64_t element) {
      for (auto i = element * parts; i < (element + 1) * parts; ++i)
        values[i] = from_double<T>(50 * to_double(values[i]));
    };
    // Gaps between successes of probability 0.001 are geometric, so the loop skips to the next outlier
    // instead of drawing for each element.
    std::uint64_t drawn = 0;
    const auto gap = [&] { return std::log1p(-random.unit(drawn++)) / std::log1p(-0.001); };
    bool any = false;
    for (double at = gap(); at < static_cast<double>(count); at += 1 + std::floor(gap())) {
      enlarge(static_cast<std::int64_t>(at));
      any = true;
    }
    if (!any) enlarge(static_cast<std::int64_t>(random.below(drawn, static_cast<std::uint64_t>(count))));
  });
}

void draw_rows(const DrawPlan& plan, const Random& random, void* out) {
  with_type(plan.dtype, [&]<class T>(T*) {
    in_parallel(plan.rows(), [&](std::int64_t r) {
      auto* row = static_cast<T*>(out) + r * plan.row;
      const auto own = random.fork(static_cast<std::uint64_t>(r));
      if (plan.draw == Draw::sorted)
        draw_sorted_row(plan, own, row);
      else if (plan.draw == Draw::permutation)
        draw_permutation_row(plan, own, row);
      else
        draw_probability_row(plan, own, row);
    });
  });
}

}  // namespace ridgeline::verifier
