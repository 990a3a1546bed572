#include "engine/verifier/check_task.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <optional>

#include "engine/core/out_of_memory.hpp"
#include "engine/verifier/buffers.hpp"
#include "engine/verifier/choice.hpp"
#include "engine/verifier/contract.hpp"
#include "engine/verifier/counts.hpp"
#include "engine/verifier/expected.hpp"
#include "engine/verifier/fit.hpp"
#include "engine/verifier/inputs.hpp"
#include "engine/verifier/meaningful.hpp"
#include "engine/verifier/null_test.hpp"

namespace ridgeline::verifier {
namespace {

/// A fault in words; nullopt if the task passes the check.
using Fault = std::optional<std::string>;

class Checker {
 public:
  Checker(const Task& task, std::uint64_t seed) : task_(task), seed_(seed) {}

  TaskCheck run() {
    // Nothing else can be checked without a reference that compiles and runs.
    if (!add("compiles", [&] { return compiles(); })) return std::move(check_);
    if (!add("runs", [&] { return runs(); })) return std::move(check_);
    add("arguments", [&] { return keeps_arguments(); });
    add("self", [&] { return accepts_itself(); });
    add("null_test", [&] { return rejects_nulls(); });
    add("bytes", [&] { return fault_in_bytes(task_); });
    add("operations", [&] { return fault_in_operations(task_); });
    return std::move(check_);
  }

 private:
  bool add(const char* name, const std::function<Fault()>& ask) {
    Fault fault;
    try {
      fault = ask();
    } catch (const OutOfMemory&) {
      throw;  // a shortage of this machine is no fault of the task
    } catch (const std::exception& error) {
      fault = error.what();
    }
    check_.items.push_back({name, !fault, fault.value_or("")});
    return !fault;
  }

  Fault compiles() {
    if (task_.cases.empty()) return "the task has no case";
    reference_ = TorchScript::compile(task_);
    return std::nullopt;
  }

  /// Runs `ask` on every case and input set, final cases included, and stops at the first fault.
  Fault everywhere(const std::function<Fault(const Case&, InputSet, const std::vector<at::Tensor>&)>& ask) {
    for (const auto& task_case : task_.cases)
      for (const auto set : {InputSet::standard, InputSet::outlier, InputSet::edge})
        if (auto fault = ask(task_case, set, draw_inputs(task_, task_case, set, seed_)))
          return fmt::format("case '{}', {} inputs: {}", task_case.name, to_string(set), *fault);
    return std::nullopt;
  }

  Fault runs() {
    const bool random = is_random(task_);
    // Random references differ between two runs by design, so only their finiteness is checked.
    return everywhere([&](const Case& task_case, InputSet set, const auto& inputs) -> Fault {
      const auto outputs = fit_outputs(task_, task_case, reference_->run_in_float64(inputs, task_case), true);
      if (set == InputSet::standard) require_finite_values(task_, task_case, outputs);
      if (!random)
        require_repeatable(
            task_, task_case, outputs,
            fit_outputs(task_, task_case, reference_->run_in_float64(inputs, task_case), true));
      return std::nullopt;
    });
  }

  Fault keeps_arguments() {
    return everywhere([&](const Case& task_case, InputSet, const auto& inputs) -> Fault {
      // Compares bytes, not values: a NaN that stays the same NaN must count as unchanged.
      const auto wide = widen(inputs);
      std::vector<at::Tensor> copies;
      for (const auto& tensor : wide) copies.push_back(tensor.clone());
      reference_->run(wide, task_case);
      for (std::size_t i = 0; i < wide.size(); ++i)
        if (std::memcmp(wide[i].const_data_ptr(), copies[i].const_data_ptr(), wide[i].nbytes()) != 0)
          return fmt::format("the reference changes its argument '{}': return the new value instead",
                             arguments_of(task_)[i]->name);
      return std::nullopt;
    });
  }

  /// Passes the reference's own run through the comparison. A comparison whose tolerance is infinite for
  /// most elements would accept anything, so that is a fault too.
  Fault accepts_itself() {
    return everywhere([&](const Case& task_case, InputSet set, const auto& inputs) -> Fault {
      const auto expected = expect(*reference_, task_, task_case, set, inputs);
      // A quantized task's run in its own dtype crosses rounding ties that the oracle does not, so the
      // oracle stands in for it.
      const bool quantized = std::holds_alternative<Quantized>(task_.contract);
      const auto result =
          compare_outputs(*reference_, task_, task_case, set, inputs, expected,
                          as_written(task_, task_case, quantized ? expected.oracle : expected.own));
      if (!result.ok) return "the reference in the task's own dtype fails the gate: " + result.detail;
      for (std::size_t i = 0; i < expected.tolerance.size(); ++i)
        if (mostly_undecided(expected.tolerance[i]))
          return fmt::format("most of '{}' is undecided: the reference overflows or divides by zero there",
                             outputs_of(task_)[i]->name);
      return std::nullopt;
    });
  }

  static bool mostly_undecided(const at::Tensor& tolerance) {
    if (!tolerance.defined() || tolerance.numel() == 0) return false;
    const auto* values = static_cast<const double*>(tolerance.const_data_ptr());
    return 2 * std::count_if(values, values + tolerance.numel(), [](double t) { return std::isinf(t); }) >
           tolerance.numel();
  }

  Fault rejects_nulls() {
    const auto test = null_test(task_, *reference_, seed_);
    if (!test.degenerate()) return std::nullopt;
    std::string all;
    for (const auto& null : test.passed) all += (all.empty() ? "" : "; ") + null.detail;
    return all;
  }

  const Task& task_;
  std::uint64_t seed_;
  std::optional<TorchScript> reference_;
  TaskCheck check_;
};

}  // namespace

bool TaskCheck::passed() const {
  return std::all_of(items.begin(), items.end(), [](const CheckItem& item) { return item.passed; });
}

TaskCheck check_task(const Task& task, std::uint64_t seed) {
  return Checker(task, seed).run();
}

}  // namespace ridgeline::verifier
