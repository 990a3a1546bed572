#include "engine/verifier/draw.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/core/error.hpp"
#include "engine/verifier/elements.hpp"
#include "engine/verifier/number_blocks.hpp"
#include "engine/verifier/parallel.hpp"

namespace ridgeline::verifier {
namespace {

numbers::NumberType number_type(DType dtype) {
  using enum numbers::NumberType;
  switch (dtype) {
    case DType::float64:
    case DType::complex128:
      return f64;
    case DType::float32:
    case DType::complex64:
      return f32;
    case DType::float16:
      return f16;
    case DType::bfloat16:
      return bf16;
    case DType::int64:
      return i64;
    case DType::int32:
      return i32;
    case DType::int16:
      return i16;
    case DType::int8:
      return i8;
    case DType::uint8:
      return u8;
    case DType::boolean:
      break;
  }
  return boolean;
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
      // Any number but 0 makes a bool true; an integer would wrap around.
      if (!real && plan.dtype != DType::boolean &&
          (plan.low < lowest(plan.dtype) || plan.high - 1 > largest(plan.dtype)))
        refuse(plan, fmt::format("its range goes beyond that of {}", to_string(plan.dtype)));
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

numbers::Generation generation_of(const DrawPlan& plan, const Random& random) {
  const bool real = is_floating_or_complex(plan.dtype);
  numbers::Generation generation{.key = random.key(),
                                 .digits_key = random.fork(1).key(),
                                 .low = plan.low,
                                 .high = plan.high,
                                 .type = number_type(plan.dtype)};
  switch (plan.draw) {
    case Draw::normal:
      generation.draw = numbers::NumberDraw::normal;
      return generation;
    case Draw::uniform:
      generation.draw = numbers::NumberDraw::uniform;
      generation.high = plan.high - plan.low;
      // Rounding to a narrow dtype may reach the bound that the distribution excludes.
      if (real)
        generation.top = next_below(plan.dtype, plan.high);
      else
        generation.range = static_cast<std::uint64_t>(plan.high - plan.low);
      return generation;
    case Draw::bernoulli:
      generation.draw = numbers::NumberDraw::bernoulli;
      generation.range = static_cast<std::uint64_t>(std::llround(plan.high * 0x1p32));
      return generation;
    default:
      generation.draw = numbers::NumberDraw::constant;
      return generation;
  }
}

void draw_independent(const DrawPlan& plan, const Random& random, std::int64_t count, void* out) {
  static_assert(range_length % static_cast<std::int64_t>(kNumbersTogether) == 0);
  const auto generation = generation_of(plan, random);
  const auto size = size_of(generation.type);
  in_ranges(count * components(plan.dtype), [&](std::int64_t first, std::int64_t last) {
    write_numbers(generation, static_cast<std::uint64_t>(first), static_cast<std::uint64_t>(last - first),
                  static_cast<std::byte*>(out) + static_cast<std::size_t>(first) * size);
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
