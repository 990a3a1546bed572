#include "engine/verifier/ordinary_tolerance.hpp"

#include <ATen/ops/empty.h>
#include <ATen/ops/linalg_vector_norm.h>
#include <ATen/ops/maximum.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "engine/verifier/derivation.hpp"

namespace ridgeline::verifier {
namespace {

constexpr std::int64_t kSampled = std::int64_t{1} << 24;  // elements that show the errors of the reference
constexpr std::int64_t kSampledOnCpu = kSampled / 4;      // a CPU takes longer for each binade
constexpr std::int64_t kEnoughOfMany = 31;                // numbers under a median, in large outputs
// The exponents of float32, and where they begin among those of float64.
constexpr std::int64_t kSingleExponents = 0x100, kFirstSingle = 1023 - 127;

class OrdinaryDerivation {
 public:
  OrdinaryDerivation(const Precision& precision, const at::Tensor& oracle, const at::Tensor& own,
                     const Responses& responses, std::int64_t most)
      : precision_(precision),
        type_(responses.first().scalar_type()),
        many_(type_ == at::kFloat),
        expendable_(responses.expendable()),
        row_(oracle.dim() == 0 ? 1 : std::max<std::int64_t>(1, oracle.size(-1))),
        rows_(oracle.numel() / row_),
        step_(std::clamp<std::int64_t>(most / row_, 1, rows_)),
        largest_condition_(
            std::max(responses.largest_first() / first_step, responses.largest_second() / second_step)),
        oracle_(oracle.reshape({rows_, row_})),
        own_(own.reshape({rows_, row_})),
        first_(responses.first().reshape({rows_, row_})),
        second_(responses.second().reshape({rows_, row_})) {}

  std::optional<Tolerances> run(c10::IntArrayRef shape) {
    if (!ordinary() || !find_own_errors()) return std::nullopt;
    if (precision_.reduces && oracle_.numel() >= 4 && rows_ >= 4) find_column_medians();
    const double mean = mean_condition();
    const auto options = oracle_.options().dtype(type_);
    // What is read of the distances later than in its own piece is a sample of few rows.
    const bool in_place = expendable_ && many_ && rows_ >= few_rows_in_sample * enough();
    if (in_place) sample_ = sampled_conditions();
    auto tolerance = in_place ? first_ : at::empty({rows_, row_}, options);
    auto scale = in_place ? second_ : at::empty({rows_, row_}, options);
    in_pieces([&](std::int64_t begin, std::int64_t length) {
      auto scale_piece = scale.narrow(0, begin, length);
      // Works in place where it can: at gigabytes, each temporary is another pass over memory.
      const auto value =
          oracle_.narrow(0, begin, length).to(type_, /*non_blocking=*/false, /*copy=*/true).abs_();
      const auto own_condition =
          conditions(first_.narrow(0, begin, length), second_.narrow(0, begin, length));
      auto condition = own_condition;
      if (precision_.reduces && oracle_.numel() >= 4)
        condition = raise_towards_medians(condition, column_medians_, enough());
      if (const auto unshown = maybe_unshown(own_condition, mean); unshown.any().item<bool>())
        condition = with_unshown_conditions(condition, unshown, value, own_condition,
                                            positive_column_medians(), enough());
      at::maximum_out(scale_piece, value, condition);
      const auto own = own_errors_.index_select(0, exponent_of(value).reshape(-1)).reshape({length, row_});
      tolerance.narrow(0, begin, length)
          .copy_(
              at::maximum(own, scale_piece.mul(precision_.output_roundoff))
                  .mul_(precision_.slack * precision_.local)
                  .add_(scale_piece, precision_.slack * precision_.growth * precision_.accumulator_roundoff)
                  .add_(precision_.floor));
    });
    return Tolerances{tolerance.reshape(shape), scale.reshape(shape)};
  }

 private:
  template <class Do>
  void in_pieces(Do&& work) const {
    for (std::int64_t begin = 0; begin < rows_; begin += step_) work(begin, std::min(step_, rows_ - begin));
  }

  /// Whether everything is finite, no condition can be a jump (a jump exceeds at least the typical value's
  /// threshold), and every figure stays within the dtype that is computed in.
  bool ordinary() const {
    double squares = 0;
    bool finite = true;
    in_pieces([&](std::int64_t begin, std::int64_t length) {
      const double norm = at::linalg_vector_norm(oracle_.narrow(0, begin, length)).item<double>();
      const double most =
          at::linalg_vector_norm(own_.narrow(0, begin, length), std::numeric_limits<double>::infinity())
              .item<double>();
      squares += norm * norm;
      finite = finite && std::isfinite(most);
    });
    if (!finite || !std::isfinite(squares)) return false;
    const double typical = std::sqrt(squares / static_cast<double>(oracle_.numel()));
    if (!(largest_condition_ <= typical * unlikely_condition)) return false;
    const double bound = std::max(std::sqrt(squares), largest_condition_ * raise_limit);
    return !many_ || bound * precision_.slack * precision_.growth < std::numeric_limits<float>::max();
  }

  static at::Tensor conditions(const at::Tensor& first, const at::Tensor& second) {
    auto condition = first.mul(1 / first_step);
    return at::maximum_out(condition, condition, second.mul(1 / second_step));
  }

  double mean_condition() const {
    double sum = 0;
    in_pieces([&](std::int64_t begin, std::int64_t length) {
      sum += conditions(first_.narrow(0, begin, length), second_.narrow(0, begin, length))
                 .sum(at::kDouble)
                 .item<double>();
    });
    return sum / static_cast<double>(oracle_.numel());
  }

  /// The conditions of some rows, from which columns take their medians.
  at::Tensor sampled_conditions() const {
    if (sample_.defined()) return sample_;
    const auto step = std::max<std::int64_t>(1, rows_ / enough());
    return conditions(first_.slice(0, 0, std::nullopt, step), second_.slice(0, 0, std::nullopt, step));
  }

  void find_column_medians() { column_medians_ = column_medians_of(sampled_conditions()); }

  const at::Tensor& positive_column_medians() {
    if (!positive_column_medians_.defined())
      positive_column_medians_ =
          rows_ == 1 ? sampled_conditions() : positive_column_medians_of(sampled_conditions());
    return positive_column_medians_;
  }

  /// Finds the reference's largest error at each and all lower exponents of |y|. Returns false if an error
  /// is not finite.
  bool find_own_errors() {
    const bool on_cpu = oracle_.is_cpu();
    const auto most = on_cpu ? kSampledOnCpu : kSampled;
    auto stride = many_ || on_cpu ? std::max<std::int64_t>(1, oracle_.numel() / most) : 1;
    while (std::gcd(stride, row_) > 1) ++stride;  // a common factor would sample some columns only
    const auto sampled = [&](const at::Tensor& t) { return t.view(-1).slice(0, 0, std::nullopt, stride); };
    const auto oracle = sampled(oracle_), own = sampled(own_);
    LargestErrors errors;
    for (std::int64_t begin = 0; begin < oracle.numel(); begin += kSampled) {
      const auto length = std::min(kSampled, oracle.numel() - begin);
      const auto value = oracle.narrow(0, begin, length);
      errors.add(value.abs(), value.sub(own.narrow(0, begin, length)).abs_());
    }
    const auto table = errors.at_or_below();
    const auto by_exponent = many_ ? table.narrow(0, kFirstSingle, kSingleExponents) : table;
    own_errors_ = by_exponent.to(oracle_.device(), type_);
    return std::isfinite(table[-1].item<double>());
  }

  std::int64_t enough() const { return many_ ? kEnoughOfMany : enough_for_medians; }

  const Precision& precision_;
  at::ScalarType type_;
  bool many_, expendable_;
  std::int64_t row_, rows_, step_;
  double largest_condition_;
  at::Tensor oracle_, own_, first_, second_;  // rows, columns
  at::Tensor sample_, column_medians_, positive_column_medians_, own_errors_;
};

}  // namespace

std::optional<Tolerances> derive_ordinary_tolerance(const Precision& precision, const at::Tensor& oracle,
                                                    const at::Tensor& own, const Responses& responses,
                                                    std::int64_t most) {
  return OrdinaryDerivation(precision, oracle, own, responses, most).run(oracle.sizes());
}

}  // namespace ridgeline::verifier
