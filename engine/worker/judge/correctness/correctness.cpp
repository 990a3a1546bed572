#include "engine/worker/judge/correctness/correctness.hpp"

#include <ATen/ops/equal.h>
#include <fmt/format.h>

#include <algorithm>

#include "engine/core/one_line.hpp"
#include "engine/verifier/choice.hpp"
#include "engine/verifier/faithful.hpp"
#include "engine/verifier/seeds.hpp"
#include "engine/worker/judge/correctness/correctness_record.hpp"
#include "engine/worker/judge/correctness/fallback.hpp"
#include "engine/worker/judge/correctness/public_rule.hpp"
#include "engine/worker/judge/runners/call_allowance.hpp"
#include "engine/worker/judge/tasks/task_cache.hpp"
#include "profiler/metrics.hpp"
#include "profiler/process_clock.hpp"

namespace ridgeline::judge {
namespace {

using runner::Answer;
using runner::Reply;
using Outputs = std::vector<at::Tensor>;

constexpr std::size_t kSlots = 2;       // two, so that a call never writes where the last one wrote
constexpr double kSetUpLimit = 10;      // seconds for mapping and arranging, including the workspace function
constexpr double kObservedFactor = 10;  // over a call's limit: each operator passes through the interpreter

/// The result of one call.
struct CallResult {
  std::optional<Outputs> outputs;  ///< empty if the call failed or the runner ended
  Reason reason = Reason::none;
  std::string detail;
};

/// Compares bits, where the tensors lie, so that a NaN equals itself.
bool same_bits(const Outputs& a, const Outputs& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!at::equal(a[i].reshape(-1).view(at::kByte), b[i].reshape(-1).view(at::kByte))) return false;
  return true;
}

/// Whether the task's module has weights.
bool has_weights(const Task& task) {
  return std::ranges::any_of(task.tensors(), [](const Tensor* tensor) { return !tensor->state.empty(); });
}

/// Takes one candidate through its cases.
class CorrectnessCheck {
 public:
  CorrectnessCheck(PreparedTask& prepared, RunnerProcess& runner, const CorrectnessSettings& settings,
                   Verdict& verdict)
      : prepared_(prepared),
        task_(prepared.task()),
        memory_(prepared.backend().memory()),
        runner_(runner),
        settings_(settings),
        verdict_(verdict),
        record_(verdict),
        allowance_(allowance_for(runner.interpreter(), settings.compiles)) {}

  std::optional<RunnerExit> run() {
    std::vector<PreparedCase*> order;
    for (const auto& task_case : prepared_.cases()) {
      const auto& definition = task_case->definition();
      if (definition.final ? !settings_.final_cases : definition.hidden && !settings_.hidden_cases) continue;
      order.push_back(task_case.get());
    }
    std::stable_sort(order.begin(), order.end(), [](const PreparedCase* a, const PreparedCase* b) {
      return rank(a->definition()) < rank(b->definition());
    });
    for (auto* task_case : order) {
      if (ended_ && case_->definition().final) {  // the runner is gone: the rest cannot run
        record_.at(task_case->definition());
        record_.final_failed();
        continue;
      }
      if (ended_ || call_refused_) break;
      // Further cases of a failed candidate only show whether the public rule would have passed it.
      const bool only_faithful = failed_ && !task_case->definition().final;
      if (only_faithful && !publicly_right_) continue;
      if (failed_ && task_case->definition().final) continue;
      check_case(*task_case, only_faithful);
      // A refused call of a final case does not stop the next final cases.
      if (task_case->definition().final) call_refused_ = false;
    }
    if (task_.module && failed_) apply_public_rule();
    record_.finish();
    // Set only at the end: after an exception (no memory, a task that does not run) the answer was not
    // judged, and so is right by no rule.
    verdict_.faithful_correct = publicly_right_;
    if (verdict_.at(Stage::correctness).status == Status::passed)
      judge_fallback(settings_.fallback, operators_, verdict_);
    return ended_;
  }

 private:
  static int rank(const Case& task_case) { return task_case.final ? 2 : task_case.hidden ? 1 : 0; }

  void check_case(PreparedCase& task_case, bool only_faithful) {
    case_ = &task_case;
    record_.at(task_case.definition());
    streaming_ = memory_.needs_streaming(task_, task_case.definition());
    slots_ = streaming_ ? 1 : kSlots;
    arena_ = memory_.make_arena(task_, task_case.definition(), slots_);
    if (!streaming_ && !succeeded(runner_.map(*arena_, kSetUpLimit))) return;
    bool case_failed = false;
    for (const auto set : kInputSets) {
      if (only_faithful && set != InputSet::standard) continue;
      record_.at(set);
      const bool good = check_set(task_case, set, only_faithful);
      if (streaming_) free_memory(task_case.sets(set));
      if (ended_ || call_refused_) return;
      case_failed = case_failed || !good;
    }
    if (!case_failed) return;
    if (task_case.definition().final)
      record_.final_failed();
    else if (!only_faithful)
      failed_ = true;
  }

  /// Applies KernelBench's rule to a candidate that failed ours: if it passed by that rule so far, it has
  /// passed one of five trials. (A candidate that passed our rule is not checked again; when it is timed,
  /// further draws are compared.) KernelBench constructs the answer's model and its own under one seed, so
  /// an answer that keeps the weights of its construction, in another layout or in a graph, is right there.
  /// So a failed candidate is checked once more under those weights.
  void apply_public_rule() {
    const profiler::ScopedMetric metric("correctness.public_rule");
    auto& passes = publicly_right_;
    passes = passes && passes_publicly(prepared_.reference(), kPublicDraws - 1, true);
    if (passes || ended_ || call_refused_ || !has_weights(task_)) return;
    arena_->discard_fillings();
    const bool with_its_own =
        passes_publicly(*prepared_.backend().references().make_kernelbench(task_), kPublicDraws, false);
    if (!with_its_own) return;
    // An answer that is right only sometimes gets no second try: with other weights it must be wrong once
    // more.
    arena_->discard_fillings();
    if (passes_publicly(prepared_.reference(), 1, true) || ended_ || call_refused_) return;
    passes = true;
    verdict_.notes.push_back(
        "right with the weights of its construction alone: it does not compute with those it is given "
        "afterwards, and is wrong with them");
  }

  /// Returns `if_reference_fails` if the reference fails: the known failure stands then.
  bool passes_publicly(const verifier::Reference& reference, int draws, bool if_reference_fails) try {
    return passes_public_rule(prepared_, *case_, reference, draws,
                              [&](const Outputs& inputs) { return call_mapped(inputs); });
  } catch (const std::exception& error) {
    if (!prepared_.backend().telemetry().sound()) throw;
    verdict_.notes.push_back(
        fmt::format("KernelBench's rule could not be asked of {} draws: {}", draws, error.what()));
    return if_reference_fails;
  }

  std::optional<Outputs> call_mapped(const Outputs& inputs) {
    if (ended_ || call_refused_) return {};
    if (streaming_) {
      memory_.give_back_cached();
      if (!succeeded(runner_.map(*arena_, kSetUpLimit))) return {};
    }
    auto outputs = call_once(inputs).outputs;
    if (streaming_ && !ended_) runner_.release_memory(kSetUpLimit);
    return outputs;
  }

  /// Frees memory for deriving the expectations of the next set.
  void free_memory(SecretSets& sets) {
    sets.drop();
    if (!ended_) runner_.release_memory(kSetUpLimit);  // if the runner ends here, the next call reports it
    memory_.give_back_cached();
  }

  bool check_set(PreparedCase& task_case, InputSet set, bool only_faithful) {
    auto& sets = task_case.sets(set);
    const auto& secret = sets.draw(prepared_.reference(), prepared_.random());
    task_case.baseline().expectation_drawn(sets.seconds_to_draw() / verifier::runs_per_expectation);
    if (streaming_) {
      memory_.give_back_cached();
      if (!succeeded(runner_.map(*arena_, kSetUpLimit))) return false;
    }
    const auto checked = call_once(secret.inputs);
    if (!checked.outputs) return false;
    if (set == InputSet::standard && !task_case.definition().final &&
        !verifier::faithful_correct(task_, secret.expected, *checked.outputs))
      publicly_right_ = false;
    if (only_faithful) return true;
    if (checked.reason != Reason::none) return fail(checked.reason, checked.detail);
    const auto compared = compare(set, secret, *checked.outputs);
    record_.figures(compared);
    if (!compared.ok) return fail(compared.reason, compared.detail, compared.mismatch);
    if (set != InputSet::standard) return true;
    return call_again(secret, *checked.outputs) && observe_once();
  }

  verifier::Comparison compare(InputSet set, const SecretInputs& secret, const Outputs& outputs) {
    const profiler::ScopedMetric metric("correctness.compare");
    return verifier::compare_outputs(prepared_.reference(), task_, case_->definition(), set, secret.inputs,
                                     secret.expected, outputs);
  }

  /// Records which of torch's operators a module computes by, in one call right after a right one. A module
  /// that cannot be observed is not at fault.
  bool observe_once() {
    if (!runner_.interpreter() || settings_.compiles || observed_) return true;
    observed_ = true;
    const double limit = kObservedFactor * limit_for(*case_, settings_.call_limit);
    const auto answer = runner_.observe((next_slot_ - 1) % slots_, limit);
    if (!std::holds_alternative<Reply>(answer)) return succeeded(answer, limit);
    const auto& reply = std::get<Reply>(answer);
    const std::string_view text{reply.text.data(), reply.text_bytes};
    if (reply.answer == Answer::ok)
      operators_ = operators_in_words(text);
    else
      verdict_.notes.push_back(fmt::format("its operators could not be observed: {}", in_one_line(text)));
    return true;
  }

  /// Calls with other seeds, among them a neighbour of the first. A task without a seed has nothing to vary.
  bool call_with_other_seeds(const SecretInputs& secret, const Outputs& first) {
    const auto& definition = case_->definition();
    std::vector<Outputs> calls{first};
    const auto others =
        verifier::inputs_with_other_seeds(task_, definition, secret.inputs, prepared_.random().next());
    for (const auto& inputs : others) {
      const auto checked = call_once(inputs);
      if (!checked.outputs) return false;
      if (checked.reason != Reason::none) return fail(checked.reason, checked.detail);
      // Beside a choice the other outputs can be compared; `expected` holds the choice's distribution, which
      // does not depend on seeds. One call shows outputs that belong to the first.
      if (task_.choice && calls.size() == 1) {
        const auto compared =
            verifier::compare_outputs(prepared_.reference(), task_, definition, InputSet::standard, inputs,
                                      secret.expected, *checked.outputs);
        if (!compared.ok) return fail(compared.reason, compared.detail, compared.mismatch);
      }
      calls.push_back(*checked.outputs);
    }
    if (others.empty()) return true;
    const profiler::ScopedMetric metric("correctness.compare");
    const auto compared =
        verifier::compare_random_calls(task_, definition, InputSet::standard, secret.expected, calls);
    return compared.ok || fail(compared.reason, compared.detail, compared.mismatch);
  }

  /// Calls a second time: with the same inputs in another slot, or with other seeds if randomness must follow
  /// them.
  bool call_again(const SecretInputs& secret, const Outputs& first) {
    if (verifier::is_random(task_)) return call_with_other_seeds(secret, first);
    const auto checked = call_once(secret.inputs);
    if (!checked.outputs) return false;
    if (checked.reason != Reason::none) return fail(checked.reason, checked.detail);
    if (!same_bits(first, *checked.outputs)) {
      // Rows beyond the count of a data-dependent output hold poison both times, so all bits can be
      // compared.
      verdict_.run_to_run_differences = true;
      const auto compared = compare(InputSet::standard, secret, *checked.outputs);
      if (!compared.ok)
        return fail(compared.reason, "the second call on the same inputs: " + compared.detail,
                    compared.mismatch);
      if (task_.deterministic)
        return fail(Reason::nondeterministic,
                    "two calls on the same inputs gave different bits" + record_.place());
    }
    return true;
  }

  CallResult call_once(const Outputs& inputs) {
    const profiler::ScopedMetric metric("correctness.call");
    const std::size_t slot = next_slot_++ % slots_;
    const auto& definition = case_->definition();
    arena_->shift(slot);
    if (!succeeded(runner_.arrange(*arena_, slots_, task_, definition, kSetUpLimit))) return {};
    arena_->fill(slot, inputs);
    arena_->settle();
    const double own_limit = limit_for(*case_, settings_.call_limit);
    const double limit = allowance_.limit_of(own_limit);
    const double begin = profiler::wall_seconds();
    if (!succeeded(runner_.call(slot, 1, limit).answer, limit)) return {};
    allowance_.spend(profiler::wall_seconds() - begin, own_limit);
    auto inspected = arena_->inspect({.first = slot, .copied = {slot}, .filled = FilledSlot{slot, &inputs}});
    CallResult checked{std::move(inspected.copies.front()), Reason::none, {}};
    if (inspected.damage) {
      checked.reason = Reason::out_of_bounds_write;
      checked.detail = describe(*inspected.damage, task_) + record_.place();
    } else if (inspected.changed_input) {
      checked.reason = Reason::input_modified;
      checked.detail = fmt::format("the input `{}` was changed; inputs are const", *inspected.changed_input) +
                       record_.place();
    }
    return checked;
  }

  /// Returns false if the runner ended or refused; the verdict then says so, unless an earlier cause is
  /// recorded.
  bool succeeded(const RunnerAnswer& answer, double limit = kSetUpLimit) {
    if (const auto* end = std::get_if<RunnerExit>(&answer)) {
      ended_ = *end;
      fail_public_rule();
      record_.ended(explain_end(*end, limit, runner_.mapping(), arena_.get(), task_));
      return false;
    }
    const auto& reply = std::get<Reply>(answer);
    if (reply.answer == Answer::ok) return true;
    call_refused_ = true;
    fail_public_rule();
    record_.refused(explain_refusal(reply, runner_.interpreter()));
    return false;
  }

  /// A call of a case that counts did not end, so the answer is not right by the public rule either.
  void fail_public_rule() { publicly_right_ = publicly_right_ && case_->definition().final; }

  bool fail(Reason reason, const std::string& detail, const std::optional<Mismatch>& mismatch = {}) {
    record_.failed(reason, detail, mismatch);
    return false;
  }

  PreparedTask& prepared_;
  const Task& task_;
  DeviceMemory& memory_;
  RunnerProcess& runner_;
  const CorrectnessSettings& settings_;
  Verdict& verdict_;
  CorrectnessRecord record_;
  PreparedCase* case_ = nullptr;
  std::unique_ptr<Arena> arena_;
  std::size_t slots_ = kSlots, next_slot_ = 0;
  CallAllowance allowance_;
  bool streaming_ = false;  // whether the present case needs streaming
  std::optional<RunnerExit> ended_;
  bool call_refused_ = false;
  bool failed_ = false;
  bool publicly_right_ = true;  // by KernelBench's rule, as far as it was applied
  bool observed_ = false;
  std::string operators_;  // torch's operators that it computes by
};

}  // namespace

std::optional<RunnerExit> check_correctness(PreparedTask& prepared, RunnerProcess& runner,
                                            const CorrectnessSettings& settings, Verdict& verdict) {
  return CorrectnessCheck(prepared, runner, settings, verdict).run();
}

}  // namespace ridgeline::judge
