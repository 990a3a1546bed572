#include "engine/verifier/null_test.hpp"

#include <ATen/ops/full_like.h>
#include <ATen/ops/zeros_like.h>
#include <fmt/format.h>

#include <algorithm>

#include "engine/verifier/buffers.hpp"
#include "engine/verifier/choice.hpp"
#include "engine/verifier/contract.hpp"
#include "engine/verifier/expected.hpp"
#include "engine/verifier/fit.hpp"
#include "engine/verifier/inputs.hpp"
#include "engine/verifier/perturb.hpp"
#include "engine/verifier/tolerance.hpp"

namespace ridgeline::verifier {
namespace {

using Tensors = std::vector<at::Tensor>;

/// One way of not doing the work. Only `output` is wrong and all others are right; lower_precision and
/// unquantized concern all outputs.
struct NullKernel {
  Null kind;
  std::size_t output = 0, input = 0;
  double value = 0;  // of Null::constant: chosen before any case is known
};

/// A case's inputs and what is expected of them.
struct Trial {
  const Case& task_case;
  Tensors inputs;
  Expected expected;
};

class NullTrials {
 public:
  NullTrials(const Task& task, const Reference& reference, std::uint64_t seed)
      : task_(task),
        reference_(reference),
        seed_(seed),
        arguments_(arguments_of(task)),
        outputs_(outputs_of(task)) {
    collect();
  }

  NullTest run() {
    auto result = rejected_by_no_case();
    for (const auto& task_case : task_.cases)
      if (other_draws_pass(task_case))
        result.passed.push_back(
            {Null::other_draw, fmt::format("the result for other inputs passes case '{}'", task_case.name)});
    return result;
  }

 private:
  NullTest rejected_by_no_case() {
    for (const auto& task_case : task_.cases) {
      if (task_case.final) continue;
      for (const auto set : {InputSet::standard, InputSet::outlier, InputSet::edge}) {
        if (left_.empty()) return {};  // every null kernel was rejected already
        const auto trial = try_case(task_case, set, seed_);
        std::erase_if(left_,
                      [&](const NullKernel& null) { return !passes(set, trial, written(null, trial)); });
      }
    }
    NullTest result;
    for (const auto& null : left_) result.passed.push_back({null.kind, describe(null)});
    return result;
  }

  /// Whether the results of five other draws pass for one: results that are seldom apart by more than the
  /// tolerance.
  bool other_draws_pass(const Case& task_case) const {
    if (!task_case.timed || !std::holds_alternative<Elementwise>(task_.contract)) return false;
    constexpr auto set = InputSet::standard;
    const auto trial = try_case(task_case, set, seed_);
    for (std::uint64_t other = 2; other < 7; ++other) {  // seed_ + 1 is the guess of a constant
      const auto outputs =
          reference_.run_in_float64(draw_inputs(task_, task_case, set, seed_ + other), task_case);
      const auto written = as_written(task_, task_case, fit_outputs(task_, task_case, outputs, true));
      if (!passes(set, trial, written)) return false;
    }
    return true;
  }

  bool passes(InputSet set, const Trial& trial, const Tensors& outputs) const {
    return compare_outputs(reference_, task_, trial.task_case, set, trial.inputs, trial.expected, outputs).ok;
  }

  Trial try_case(const Case& task_case, InputSet set, std::uint64_t seed) const {
    auto inputs = draw_inputs(task_, task_case, set, seed);
    auto expected = expect(reference_, task_, task_case, set, inputs);
    return {task_case, std::move(inputs), std::move(expected)};
  }

  void collect() {
    const auto first =
        std::find_if(task_.cases.begin(), task_.cases.end(), [](const Case& c) { return !c.final; });
    if (first == task_.cases.end()) return;
    // Drawn from another seed than the trials: the constant of a one-element output would be the right
    // answer.
    const auto guess = try_case(*first, InputSet::standard, seed_ + 1);
    bool real = false;
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      real = real || is_floating_or_complex(outputs_[i]->dtype);
      if (is_count(i)) continue;
      // A count fixes the number of compared rows, so a wrong one is rejected before any value is compared.
      left_.push_back({Null::zeros, i});
      if (!is_complex(outputs_[i]->dtype) && guess.expected.oracle[i].numel() > 0)
        left_.push_back(
            {Null::constant, i, 0, guess.expected.oracle[i].to(at::kDouble).mean().item().toDouble()});
      for (std::size_t j = 0; j < arguments_.size(); ++j)
        if (can_copy(j, i)) left_.push_back({Null::input_copy, i, j});
    }
    const bool elementwise = std::holds_alternative<Elementwise>(task_.contract);
    if (elementwise && real && !lower_precision_allowed(task_)) left_.push_back({Null::lower_precision});
    if (std::holds_alternative<Quantized>(task_.contract)) left_.push_back({Null::unquantized});
  }

  bool is_count(std::size_t i) const {
    return std::any_of(outputs_.begin(), outputs_.end(),
                       [&](const Tensor* t) { return t->count == outputs_[i]->name; });
  }

  /// Whether the input has the output's shape in every case, and no imaginary part to lose.
  bool can_copy(std::size_t input, std::size_t output) const {
    const auto& from = *arguments_[input];
    const auto& to = *outputs_[output];
    if (is_complex(from.dtype) && !is_complex(to.dtype)) return false;
    return std::all_of(task_.cases.begin(), task_.cases.end(), [&](const Case& task_case) {
      return shape_of(from, task_case.sizes) == shape_of(to, task_case.sizes);
    });
  }

  Tensors written(const NullKernel& null, const Trial& trial) const {
    auto outputs = trial.expected.oracle;
    auto& output = outputs[null.output];
    switch (null.kind) {
      case Null::zeros:
        output = at::zeros_like(output);
        break;
      case Null::constant:
        output = at::full_like(output, null.value, output.options().dtype(at::kDouble));
        break;
      case Null::input_copy: {
        const auto& input = trial.inputs[null.input];
        output = output.dim() == 0 ? input : input.narrow(0, 0, output.size(0));
        break;
      }
      case Null::lower_precision: {
        const auto digits = lower_digits();
        outputs = rounded(outputs_in_lower_precision(trial, digits), digits);
        break;
      }
      case Null::unquantized:
        outputs = trial.expected.unquantized;
        break;
      case Null::other_draw:  // has trials of its own
        break;
    }
    return as_written(task_, trial.task_case, outputs);
  }

  /// The reference's outputs for rounded inputs, and for the trial's choice, rounded too.
  Tensors outputs_in_lower_precision(const Trial& trial, int digits) const {
    const auto inputs = rounded(trial.inputs, digits);
    if (!task_.choice)
      return fit_outputs(task_, trial.task_case, reference_.run_in_float64(inputs, trial.task_case), true);
    const auto choice = rounded(choice_among(task_, trial.expected.own), digits);
    const auto others = ReferenceForChoice(reference_, choice).run_in_float64(inputs, trial.task_case);
    return fit_outputs(task_, trial.task_case, merge_outputs(chosen_outputs(task_), widen(choice), others),
                       true);
  }

  /// The digits of one precision below the coarsest real output.
  int lower_digits() const {
    int digits = 53;
    for (const auto* output : outputs_)
      if (is_floating_or_complex(output->dtype)) digits = std::min(digits, next_lower_digits(output->dtype));
    return digits;
  }

  std::string describe(const NullKernel& null) const {
    const auto& output = outputs_[null.output]->name;
    switch (null.kind) {
      case Null::zeros:
        return fmt::format("zeros in '{}' pass every case", output);
      case Null::constant:
        return fmt::format("{:.6g} in all of '{}' passes every case", null.value, output);
      case Null::input_copy:
        return fmt::format("a copy of '{}' in '{}' passes every case", arguments_[null.input]->name, output);
      case Null::lower_precision:
        return fmt::format("inputs and outputs rounded to {} binary digits pass every case", lower_digits());
      case Null::unquantized:
        return "the unquantized computation passes every case";
      case Null::other_draw:
        break;
    }
    return {};
  }

  const Task& task_;
  const Reference& reference_;
  std::uint64_t seed_;
  std::vector<const Tensor*> arguments_, outputs_;
  std::vector<NullKernel> left_;
};

}  // namespace

NullTest null_test(const Task& task, const Reference& reference, std::uint64_t seed) {
  return NullTrials(task, reference, seed).run();
}

}  // namespace ridgeline::verifier
