#include "engine/verifier/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "engine/verifier/buffers.hpp"
#include "engine/verifier/contract.hpp"
#include "engine/verifier/on_device.hpp"
#include "engine/verifier/quantization.hpp"
#include "engine/verifier/randomness.hpp"
#include "engine/verifier/report.hpp"
#include "engine/verifier/scan.hpp"
#include "engine/verifier/signs.hpp"
#include "engine/verifier/streams.hpp"
#include "engine/verifier/tolerance.hpp"

namespace ridgeline::verifier {
namespace {

std::vector<std::int64_t> shape_of_tensor(const at::Tensor& t) {
  return {t.sizes().begin(), t.sizes().end()};
}

constexpr std::int64_t compared_values = std::int64_t{1} << 16;  // of each output

/// The share of b's values that also occur in a, looking at the first elements of each.
double values_in_common(const at::Tensor& a, const at::Tensor& b) {
  const auto sorted = [&](const at::Tensor& t) {
    const auto wide = t.flatten().slice(0, 0, compared_values).to(at::kDouble).contiguous();
    const auto* values = static_cast<const double*>(wide.const_data_ptr());
    std::vector<double> copy(values, values + wide.numel());
    std::erase_if(copy, [](double x) { return std::isnan(x); });
    std::sort(copy.begin(), copy.end());
    return copy;
  };
  const auto of_a = sorted(a), of_b = sorted(b);
  std::size_t common = 0;
  for (const double x : of_b) common += std::binary_search(of_a.begin(), of_a.end(), x);
  return of_b.empty() ? 0 : static_cast<double>(common) / static_cast<double>(of_b.size());
}

std::span<const double> doubles(const at::Tensor& t) {
  return {static_cast<const double*>(t.const_data_ptr()), static_cast<std::size_t>(t.numel())};
}

DrawRows rows_of(const at::Tensor& draws) {
  if (draws.scalar_type() != at::kBool) return {doubles(draws), draw_count};
  const auto* flags = static_cast<const std::uint8_t*>(draws.const_data_ptr());
  return {std::span(flags, static_cast<std::size_t>(draws.numel())), draw_count};
}

/// Compares which values the first call has in common with each other one, and two draws of the reference.
RandomFinding values_seldom_in_common(const std::vector<std::vector<at::Tensor>>& calls, std::size_t output,
                                      const at::Tensor& draws) {
  const auto& first = calls.front()[output];
  // A coarse dtype makes values meet by chance, so draws are compared in the output's own dtype.
  const auto in_own_dtype = [&](int draw) { return draws.select(0, draw).to(first.scalar_type()); };
  const double by_chance = values_in_common(in_own_dtype(0), in_own_dtype(1));
  // Eleven deviations of the difference of two shares of n elements, besides a tenth for coarser grids.
  const double room =
      0.1 + 8 / std::sqrt(static_cast<double>(std::clamp<std::int64_t>(first.numel(), 1, compared_values)));
  for (std::size_t call = 1; call < calls.size(); ++call) {
    const double common = values_in_common(first, calls[call][output]);
    if (common > by_chance + room)
      return {false,
              fmt::format("two calls with different seeds have {:.0f} % of their values in common, two "
                          "draws of the reference {:.0f} %",
                          100 * common, 100 * by_chance)};
  }
  return {};
}

/// Performs one comparison of all outputs of a task; the first wrong output decides reason and mismatch.
class Judgement {
 public:
  Judgement(const Task& task, const Case& task_case, InputSet set, const Expected& expected,
            const std::vector<at::Tensor>& got)
      : task_(task),
        case_(task_case),
        set_(set),
        expected_(expected),
        declared_(outputs_of(task)),
        got_(got) {}

  Comparison run() {
    // The shape and dtype come first, then counts: both must hold before elements can be paired up.
    for (std::size_t i = 0; i < declared_.size() && comparison_.ok; ++i) check_shape_and_dtype(i);
    for (std::size_t i = 0; i < declared_.size() && comparison_.ok; ++i) cut_to_count(i);
    if (!comparison_.ok) return comparison_;
    turned_ =
        std::holds_alternative<UpToSign>(task_.contract) ? align_signs(task_, got_, expected_.oracle) : got_;
    for (std::size_t i = 0; i < declared_.size(); ++i) compare_output(i);
    return comparison_;
  }

 private:
  void fail(Reason reason, std::string detail) {
    if (!comparison_.ok) return;
    comparison_.ok = false;
    comparison_.reason = reason;
    comparison_.detail = std::move(detail);
  }

  void check_shape_and_dtype(std::size_t i) {
    const auto wanted = shape_of(*declared_[i], case_.sizes);
    if (i < got_.size() && got_[i].scalar_type() == scalar_type(declared_[i]->dtype) &&
        shape_of_tensor(got_[i]) == wanted)
      return;
    fail(Reason::wrong_values,
         fmt::format("output '{}' has not the declared shape and dtype", declared_[i]->name));
  }

  void cut_to_count(std::size_t i) {
    const int index = count_index(declared_, i);
    if (index < 0) return;
    const auto at = static_cast<std::size_t>(index);
    const auto written = *static_cast<const std::int64_t*>(got_[at].const_data_ptr());
    const auto wanted = *static_cast<const std::int64_t*>(expected_.oracle[at].const_data_ptr());
    if (written == wanted) {
      got_[i] = got_[i].narrow(0, 0, wanted);
      return;
    }
    fail(Reason::wrong_count,
         fmt::format("case '{}', {} inputs: '{}' says {} rows of '{}' were written, and {} are right",
                     case_.hidden ? "an unseen case" : case_.name, to_string(set_), declared_[at]->name,
                     written, declared_[i]->name, wanted));
    const auto input = scan_of(at, got_[at]);
    std::vector<std::uint8_t> wrong(1);
    const auto result = scan(input, wrong.data());
    comparison_.mismatch = report(case_, set_, *declared_[at], {1}, input, result, wrong);
  }

  Scan scan_of(std::size_t i, const at::Tensor& got) const {
    Scan input;
    input.dtype = declared_[i]->dtype;
    input.elements = got.numel();
    input.got = got.const_data_ptr();
    input.oracle = expected_.oracle[i].const_data_ptr();
    if (i < expected_.tolerance.size() && expected_.tolerance[i].defined())
      input.tolerance = static_cast<const double*>(expected_.tolerance[i].const_data_ptr());
    if (is_floating_or_complex(input.dtype)) input.own = expected_.own[i].const_data_ptr();
    return input;
  }

  void compare_output(std::size_t i) {
    if (std::holds_alternative<Statistical>(task_.contract) && is_floating_or_complex(declared_[i]->dtype))
      return compare_random(i);
    if (std::holds_alternative<Statistical>(task_.contract) && count_index(declared_, i) < 0)
      return compare_random(i);
    // Columns were turned by a sign or phase, so `own` no longer corresponds to the output.
    const bool aligned =
        std::holds_alternative<UpToSign>(task_.contract) && is_floating_or_complex(declared_[i]->dtype);
    auto input = scan_of(i, aligned ? turned_[i] : got_[i]);
    const auto own = aligned ? turned_[i].to(got_[i].scalar_type()) : got_[i];
    input.got = own.const_data_ptr();  // turning by a sign is exact, by a phase it costs one rounding
    if (aligned) input.own = nullptr;
    std::vector<std::uint8_t> wrong(static_cast<std::size_t>(input.elements));
    const auto result = scan(input, wrong.data());
    if (input.tolerance != nullptr && is_floating_or_complex(input.dtype))
      comparison_.errors.push_back({case_.name, set_, declared_[i]->name, result.shares.median,
                                    result.shares.p99, result.worst_ratio});
    if (!expected_.unquantized.empty()) return compare_quantized(i, input, result, wrong);
    if (result.wrong > 0) report_wrong(i, input, result, wrong, reason_for(i, input, result));
  }

  void report_wrong(std::size_t i, const Scan& input, const ScanResult& result,
                    const std::vector<std::uint8_t>& wrong, Reason reason) {
    if (!comparison_.ok) return;
    auto mismatch =
        report(case_, set_, *declared_[i], shape_of_tensor(expected_.oracle[i]), input, result, wrong);
    // A localized pattern (a tile, a tail) is a bug in indexing, even if its errors are small.
    if (reason == Reason::lower_precision && mismatch.pattern != Pattern::precision &&
        mismatch.pattern != Pattern::scattered)
      reason = Reason::wrong_values;
    fail(reason, describe(mismatch));
    comparison_.mismatch = std::move(mismatch);
  }

  /// Says whether the errors have the size and the mixed signs that roundings to the next lower precision
  /// leave.
  Reason reason_for(std::size_t i, const Scan& input, const ScanResult& result) const {
    const auto* contract = std::get_if<Elementwise>(&task_.contract);
    const bool fits = contract != nullptr && !contract->lower_precision_allowed && is_floating(input.dtype) &&
                      input.tolerance != nullptr && result.wrong > 0;
    if (!fits) return Reason::wrong_values;
    const auto values = values_of(input);
    const auto scale = doubles(expected_.scale[i]);
    const double lower = next_lower_roundoff(input.dtype);
    double beyond = 0, sum = 0, signed_sum = 0, count = 0;
    for (std::size_t k = 0; k < scale.size(); ++k) {
      const double error = values.got[k] - values.expected[k];
      if (!std::isfinite(error) || scale[k] <= 0) {
        if (!std::isfinite(values.got[k]) && std::isfinite(values.expected[k])) ++beyond;
        continue;
      }
      const double relative = error / (lower * scale[k]);
      if (std::fabs(relative) > 8) ++beyond;
      sum += std::fabs(relative);
      signed_sum += values.expected[k] < 0 ? -relative : relative;
      ++count;
    }
    // A few outliers are tolerated: one element in a thousand beyond eight lower roundoffs.
    const bool small = count > 0 && beyond <= 0.001 * count && sum / count > 0.01;
    // A bias (all errors of one sign) comes from a wrong formula, not from rounding.
    const bool both_signs = count < 8 || std::fabs(signed_sum) < 0.5 * sum;
    return small && both_signs ? Reason::lower_precision : Reason::wrong_values;
  }

  void compare_quantized(std::size_t i, const Scan& input, const ScanResult& result,
                         const std::vector<std::uint8_t>& wrong) {
    const auto values = values_of(input);
    const auto plain = doubles(expected_.unquantized[i]);
    auto distance = quantization_distance(values.got, plain);
    distance.case_name = case_.name;
    distance.output = declared_[i]->name;
    comparison_.quantization.push_back(distance);
    if (result.wrong == 0) return;
    const double share = std::get<Quantized>(task_.contract).step_fraction;
    if (only_ties(values.got, values.expected, doubles(expected_.tolerance[i]), wrong, share,
                  expected_.tie_room[i]))
      return;
    const bool kept_full_precision = follows_unquantized(values.got, values.expected, plain);
    report_wrong(i, input, result, wrong, kept_full_precision ? Reason::not_quantized : Reason::wrong_values);
  }

  void compare_random(std::size_t i) {
    const auto got = got_[i].to(at::kDouble).contiguous();
    const auto draws = rows_of(expected_.draws[i]);
    const double p_value = std::get<Statistical>(task_.contract).p_value;
    auto finding = check_random(doubles(got), draws, p_value);
    if (finding.ok) finding = check_independence({{doubles(got)}, draws, declared_[i]->dtype}, p_value);
    if (finding.ok || !comparison_.ok) return;
    const auto input = scan_of(i, got_[i]);
    // A distribution has no wrong element: all count as wrong, so that the mismatch shows the first of them.
    const std::vector<std::uint8_t> wrong(static_cast<std::size_t>(input.elements), 1);
    ScanResult result;
    result.wrong = input.elements;
    auto mismatch = report(case_, set_, *declared_[i], shape_of_tensor(got_[i]), input, result, wrong);
    mismatch.pattern_detail = finding.detail;
    fail(Reason::wrong_values, describe(mismatch));
    comparison_.mismatch = std::move(mismatch);
  }

  const Task& task_;
  const Case& case_;
  InputSet set_;
  const Expected& expected_;
  std::vector<const Tensor*> declared_;
  std::vector<at::Tensor> got_, turned_;
  Comparison comparison_;
};

}  // namespace

Comparison compare(const Task& task, const Case& task_case, InputSet set, const Expected& expected,
                   const std::vector<at::Tensor>& got) {
  if (got.empty() || got.front().is_cpu()) return Judgement(task, task_case, set, expected, got).run();
  return compare_by_operators(task, task_case, set, expected, got);
}

Comparison compare_by_operators(const Task& task, const Case& task_case, InputSet set,
                                const Expected& expected, const std::vector<at::Tensor>& got) {
  // Outputs that pass never leave the device; only wrong ones are brought back to be described.
  if (auto passed = compare_on_device(task, task_case, set, expected, got)) return *passed;
  const auto excerpt = bring_to_cpu(task, expected, got);
  auto compared = Judgement(excerpt.task, task_case, set, excerpt.expected, excerpt.got).run();
  // The loops decide about a complete copy: they excuse rounding ties, which the device refuses.
  if (excerpt.part.empty()) return compared;
  if (compared.ok) {  // the excerpt is right: the wrong element lies elsewhere
    compared.ok = false;
    compared.reason = Reason::wrong_values;
    compared.detail = fmt::format("case '{}', {} inputs: elements lie beyond the tolerance",
                                  task_case.hidden ? "an unseen case" : task_case.name, to_string(set));
  }
  compared.detail = fmt::format("{} (compared {} only)", compared.detail, excerpt.part);
  compared.errors.clear();  // they describe a part, not the output
  return compared;
}

Comparison compare_calls(const Task& task, const Case& task_case, InputSet set, const Expected& expected,
                         const std::vector<std::vector<at::Tensor>>& calls, bool same_inputs) {
  Comparison comparison;
  const auto declared = outputs_of(task);
  const double p_value = std::get<Statistical>(task.contract).p_value;
  for (std::size_t i = 0; i < declared.size(); ++i) {
    const auto& first = calls.front()[i];
    if (count_index(declared, i) >= 0 || expected.draws[i].numel() < draw_count * first.numel()) continue;
    auto finding = same_inputs ? values_seldom_in_common(calls, i, expected.draws[i]) : RandomFinding{};
    if (finding.ok) {
      std::vector<at::Tensor> wide;
      RandomCalls joined{{}, rows_of(expected.draws[i]), declared[i]->dtype, same_inputs};
      for (const auto& call : calls) {
        wide.push_back(call[i].to(at::kDouble).contiguous());
        joined.outputs.push_back(doubles(wide.back()));
      }
      finding = check_calls_independent(joined, p_value);
    }
    if (finding.ok) continue;
    comparison.ok = false;
    comparison.reason = Reason::wrong_values;
    comparison.detail = fmt::format("case '{}', {} inputs, output '{}': {}",
                                    task_case.hidden ? "an unseen case" : task_case.name, to_string(set),
                                    declared[i]->name, finding.detail);
    return comparison;
  }
  return comparison;
}

}  // namespace ridgeline::verifier
