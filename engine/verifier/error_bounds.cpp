#include "engine/verifier/error_bounds.hpp"

#include <ATen/ops/full.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/isnan.h>
#include <ATen/ops/rsub.h>
#include <ATen/ops/where.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/core/statistics.hpp"
#include "engine/verifier/responses.hpp"

namespace ridgeline::verifier {
namespace {

constexpr double kBothErr = 1.5;           // f
constexpr double kBothErrQuantized = 2;    // a quantized task's tolerances hold no error of the reference
constexpr double kMostUndecided = 0.01;    // share of the elements
constexpr double kHalf = 0.5;              // share of the elements that `most` is fitted to
constexpr double kBeyondMost = 0.05;       // share of the elements
constexpr std::int64_t kFitSample = 4096;  // elements that a fit is chosen by
// Largest magnitudes of which a bound makes a room, so far below the dtype's largest that rooms are finite.
constexpr double kMostSize = 1e30, kMostSizeDouble = 1e300;

/// Elements of one output: magnitudes of the oracle, and tolerances.
struct Points {
  std::vector<double> size, tolerance;
};

std::vector<double> numbers_of(const at::Tensor& t) {
  const auto here = t.to(at::kDouble).cpu().contiguous();
  const auto* begin = static_cast<const double*>(here.const_data_ptr());
  return {begin, begin + here.numel()};
}

/// Evenly spaced elements that are decided. Zeros are left out unless there is nothing else: where a kernel
/// clamps, half of all elements may be zeros with hardly any tolerance, and a bound that suits them would
/// suit no other. The step is odd: an even one would return to the same columns where sizes are powers of
/// two.
Points sample_of(const at::Tensor& oracle, const at::Tensor& tolerance) {
  const auto step = (oracle.numel() / kFitSample) | 1;
  const auto some = [&](const at::Tensor& flat) { return flat.slice(0, 0, flat.numel(), step); };
  const auto sizes = numbers_of(some(oracle).abs()), tolerances = numbers_of(some(tolerance));
  const bool only_zeros = std::ranges::none_of(sizes, [](double size) { return size > 0; });
  Points points;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    if (std::isfinite(sizes[i]) && std::isfinite(tolerances[i]) && (sizes[i] > 0 || only_zeros)) {
      points.size.push_back(sizes[i]);
      points.tolerance.push_back(tolerances[i]);
    }
  return points;
}

/// The `share` quantile of how steep a bound must be that begins at `constant`; infinite where none is.
double steepness(const Points& points, double constant, double share) {
  std::vector<double> steep;
  for (std::size_t i = 0; i < points.size.size(); ++i) {
    const double above = points.tolerance[i] - constant;
    steep.push_back(above <= 0 ? 0 : above / points.size[i]);
  }
  const auto place = static_cast<std::ptrdiff_t>(std::ceil(share * static_cast<double>(steep.size()))) - 1;
  const auto at = steep.begin() + std::max<std::ptrdiff_t>(0, place);
  std::nth_element(steep.begin(), at, steep.end());
  return *at;
}

/// By how much a bound is off from the tolerances, as mean over the logarithms of their ratios: 0 is perfect.
double misfit(const Points& points, const ErrorBound& bound) {
  double sum = 0;
  for (std::size_t i = 0; i < points.size.size(); ++i)
    sum += std::fabs(std::log((bound.constant + bound.relative * points.size[i]) / points.tolerance[i]));
  return sum / static_cast<double>(points.size.size());
}

/// Returns the bound nearest to the tolerances that holds for `share` of the points.
ErrorBound fit_bound(const Points& points, double share) {
  std::vector<double> constants{0};
  for (const double at : {0.0, 0.01, 0.1, 0.25, 0.5, 0.75, 0.9, 0.99, 1.0})
    constants.push_back(quantile(points.tolerance, at));
  ErrorBound best{constants.back(), 0};
  for (const double constant : constants) {
    const ErrorBound bound{constant, steepness(points, constant, share)};
    if (std::isfinite(bound.relative) && bound.constant + bound.relative > 0 &&
        misfit(points, bound) < misfit(points, best))
      best = bound;
  }
  return best;
}

/// The largest tolerance among decided zeros, which only a bound's constant can hold; 0 if there are none.
double widest_at_zero(const at::Tensor& oracle, const at::Tensor& tolerance) {
  double widest = 0;
  for (std::int64_t begin = 0; begin < oracle.numel(); begin += kPieceElements) {
    const auto length = std::min(kPieceElements, oracle.numel() - begin);
    const auto room = tolerance.narrow(0, begin, length);
    const auto counts = oracle.narrow(0, begin, length).eq(0).logical_and_(room.isfinite());
    widest = std::max(widest, at::where(counts, room, 0.0).max().item<double>());
  }
  return widest;
}

/// Raises a bound until it holds for every decided element.
ErrorBound raised_to_all(const ErrorBound& fitted, const Points& points, const at::Tensor& oracle,
                         const at::Tensor& tolerance) {
  double steep = fitted.relative, widest = 0;
  const double constant = std::max(fitted.constant, widest_at_zero(oracle, tolerance));
  for (std::int64_t begin = 0; begin < oracle.numel(); begin += kPieceElements) {
    const auto length = std::min(kPieceElements, oracle.numel() - begin);
    const auto size = oracle.narrow(0, begin, length).abs().to(at::kDouble);
    const auto room = tolerance.narrow(0, begin, length).to(at::kDouble);
    const auto decided = at::where(size.isfinite().logical_and_(room.isfinite()), room, 0.0);
    const auto above = decided.sub(constant);
    steep = std::max(steep, at::where(above.gt(0), above.div(size), 0.0).max().item<double>());
    widest = std::max(widest, decided.max().item<double>());
  }
  const ErrorBound raised{constant, steep}, flat{widest, 0};
  return std::isfinite(steep) && misfit(points, raised) < misfit(points, flat) ? raised : flat;
}

double share_of_infinite(const at::Tensor& values) {
  double finite = 0;  // piece by piece: the operator makes copies
  for (std::int64_t begin = 0; begin < values.numel(); begin += kPieceElements)
    finite += values.narrow(0, begin, std::min(kPieceElements, values.numel() - begin))
                  .isfinite()
                  .sum()
                  .item<double>();
  return 1 - finite / static_cast<double>(values.numel());
}

ErrorBound scaled(const ErrorBound& bound, double factor) {
  return {bound.constant * factor, bound.relative * factor};
}

std::optional<OutputBounds> fit_output(const at::Tensor& oracle, const at::Tensor& tolerance,
                                       const Quantized* quantized, double tie_room) {
  OutputBounds bounds;
  if (oracle.numel() == 0) return bounds;
  const auto flat = oracle.reshape(-1), rooms = tolerance.reshape(-1);
  if (share_of_infinite(rooms) > kMostUndecided) return std::nullopt;
  bounds.infinite = share_of_infinite(flat) > 0;
  const auto points = sample_of(flat, rooms);
  if (points.size.empty()) return std::nullopt;
  // The distance of complex numbers takes both of their parts, and the tolerance holds for each.
  const double parts = oracle.is_complex() ? std::sqrt(2.0) : 1;
  const auto most = fit_bound(points, kHalf);
  bounds.most = scaled(most, parts);
  bounds.beyond_most = kBeyondMost;
  if (quantized != nullptr) {
    bounds.beyond_most += 2 * quantized->step_fraction;
    bounds.all = scaled({most.constant + tie_room, most.relative}, kBothErrQuantized * parts);
  } else {
    bounds.all = scaled(raised_to_all(fit_bound(points, 1), points, flat, rooms), kBothErr * parts);
  }
  return bounds;
}

at::ScalarType arithmetic_of(const at::Tensor& own) {
  if (own.is_complex()) return at::kComplexDouble;
  const auto type = own.scalar_type();
  return type == at::kFloat || type == at::kHalf || type == at::kBFloat16 ? at::kFloat : at::kDouble;
}

/// Whether both are the same infinity, or both no number.
at::Tensor same_infinity(const at::Tensor& seen, const at::Tensor& wanted) {
  return seen.eq(wanted).logical_or_(seen.isnan().logical_and_(wanted.isnan()));
}

at::Tensor room_of(const ErrorBound& bound, const at::Tensor& size) {
  return at::rsub(size, bound.constant, -bound.relative);  // constant + relative size, in one pass
}

}  // namespace

std::optional<std::vector<OutputBounds>> fit_error_bounds(const Task& task, const Expected& known) {
  if (std::holds_alternative<Statistical>(task.contract) || std::holds_alternative<ByCheck>(task.contract) ||
      task.choice)
    return std::nullopt;
  const auto* quantized = std::get_if<Quantized>(&task.contract);
  std::vector<OutputBounds> all;
  for (std::size_t i = 0; i < known.oracle.size(); ++i) {
    if (i >= known.tolerance.size() || !known.tolerance[i].defined()) {
      all.push_back({.equal = true});
      continue;
    }
    const auto fitted =
        fit_output(known.oracle[i], known.tolerance[i], quantized, quantized ? known.tie_room.at(i) : 0);
    if (!fitted) return std::nullopt;
    all.push_back(*fitted);
  }
  return all;
}

at::Tensor rows_within(const at::Tensor& got, const at::Tensor& own, const OutputBounds& bounds) {
  const auto rows = got.size(0), elements = got.size(1);
  const auto options = at::TensorOptions().device(got.device());
  if (elements == 0) return at::full({rows}, true, options.dtype(at::kBool));
  if (bounds.equal) return got.eq(own).all(1);
  const auto type = arithmetic_of(own);
  auto right = at::full({rows}, true, options.dtype(at::kBool));
  auto beyond = at::zeros({rows}, options.dtype(at::kLong));
  const auto step = std::max<std::int64_t>(1, kPieceElements / rows);
  for (std::int64_t begin = 0; begin < elements; begin += step) {
    const auto length = std::min(step, elements - begin);
    const auto seen = got.narrow(1, begin, length).to(type), wanted = own.narrow(1, begin, length).to(type);
    const auto distance = seen.sub(wanted).abs();
    // The room of an infinite value would be infinite too, and hold any number.
    const auto size = wanted.abs().clamp_max_(type == at::kFloat ? kMostSize : kMostSizeDouble);
    auto within = distance.le(room_of(bounds.all, size));
    if (bounds.infinite) within.logical_or_(same_infinity(seen, wanted));
    right.logical_and_(within.all(1));
    beyond.add_(distance.gt(room_of(bounds.most, size)).sum(1));
  }
  const auto allowed = std::max(1.0, std::floor(bounds.beyond_most * static_cast<double>(elements)));
  return right.logical_and_(beyond.le(allowed));
}

}  // namespace ridgeline::verifier
