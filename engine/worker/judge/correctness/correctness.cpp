#include "engine/worker/judge/correctness/correctness.hpp"

#include <ATen/ops/equal.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/verifier/choice.hpp"
#include "engine/verifier/faithful.hpp"
#include "engine/verifier/seeds.hpp"
#include "engine/worker/judge/correctness/candidate_calls.hpp"
#include "engine/worker/judge/correctness/correctness_record.hpp"
#include "engine/worker/judge/correctness/fallback.hpp"
#include "engine/worker/judge/correctness/public_rule.hpp"
#include "engine/worker/judge/tasks/task_cache.hpp"
#include "profiler/metrics.hpp"
#include "profiler/process_clock.hpp"

namespace ridgeline::judge {
namespace {

using Outputs = std::vector<at::Tensor>;

constexpr std::int64_t kBytesCompared = std::int64_t{1} << 28;  // at once: comparing takes as much again

/// Compares bits, where the tensors lie, so that a NaN equals itself.
bool same_bits(const Outputs& a, const Outputs& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    const auto one = a[i].reshape(-1).view(at::kByte), other = b[i].reshape(-1).view(at::kByte);
    for (std::int64_t begin = 0; begin < one.numel(); begin += kBytesCompared) {
      const auto length = std::min(kBytesCompared, one.numel() - begin);
      if (!at::equal(one.narrow(0, begin, length), other.narrow(0, begin, length))) return false;
    }
  }
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
        settings_(settings),
        verdict_(verdict),
        record_(verdict),
        calls_(prepared, runner, settings, record_),
        observes_(runner.interpreter() && !settings.compiles) {}

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
      if (calls_.ended() && case_->definition().final) {  // the runner is gone: the rest cannot run
        record_.at(task_case->definition());
        record_.final_failed();
        continue;
      }
      if (calls_.over()) break;
      // Further cases of a failed candidate only show whether the public rule would have passed it.
      const bool only_faithful = failed_ && !task_case->definition().final;
      if (only_faithful && !publicly_right()) continue;
      if (failed_ && task_case->definition().final) continue;
      check_case(*task_case, only_faithful);
      // A refused call of a final case does not stop the next final cases.
      if (task_case->definition().final) calls_.forgive();
    }
    if (task_.module && failed_) apply_public_rule();
    record_.finish();
    // Set only at the end: after an exception (no memory, a task that does not run) the answer was not
    // judged, and so is right by no rule.
    verdict_.faithful_correct = publicly_right();
    if (verdict_.at(Stage::correctness).status == Status::passed)
      judge_fallback(settings_.fallback, operators_, verdict_);
    return calls_.ended();
  }

 private:
  static int rank(const Case& task_case) { return task_case.final ? 2 : task_case.hidden ? 1 : 0; }

  /// Whether it is right by KernelBench's rule, as far as that was applied.
  bool publicly_right() const { return publicly_right_ && !calls_.failed_where_it_counts(); }

  void check_case(PreparedCase& task_case, bool only_faithful) {
    case_ = &task_case;
    record_.at(task_case.definition());
    if (!calls_.begin(task_case)) return;
    if (calls_.streaming()) time_reference(task_case);
    bool case_failed = false;
    for (const auto set : kInputSets) {
      if (only_faithful && set != InputSet::standard) continue;
      record_.at(set);
      const bool good = check_set(task_case, set, only_faithful);
      if (calls_.streaming()) {
        task_case.sets(set).drop();
        calls_.free();
      }
      if (calls_.over()) return;
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
    passes = publicly_right() && passes_publicly(prepared_.reference(), kPublicDraws - 1, true);
    if (passes || calls_.over() || !has_weights(task_)) return;
    calls_.discard_fillings();
    const bool with_its_own =
        passes_publicly(*prepared_.backend().references().make_kernelbench(task_), kPublicDraws, false);
    if (!with_its_own) return;
    // An answer that is right only sometimes gets no second try: with other weights it must be wrong once
    // more.
    calls_.discard_fillings();
    if (passes_publicly(prepared_.reference(), 1, true) || calls_.over()) return;
    passes = true;
    verdict_.notes.push_back(
        "right with the weights of its construction alone: it does not compute with those it is given "
        "afterwards, and is wrong with them");
  }

  /// Returns `if_reference_fails` if the reference fails: the known failure stands then.
  bool passes_publicly(const verifier::Reference& reference, int draws, bool if_reference_fails) try {
    return passes_public_rule(prepared_, *case_, reference, draws,
                              [&](const Outputs& inputs) { return call_publicly(inputs); });
  } catch (const std::exception& error) {
    if (!prepared_.backend().telemetry().sound()) throw;
    verdict_.notes.push_back(
        fmt::format("KernelBench's rule could not be asked of {} draws: {}", draws, error.what()));
    return if_reference_fails;
  }

  std::optional<Outputs> call_publicly(const Outputs& inputs) {
    if (calls_.over()) return {};
    if (!calls_.streaming()) return calls_.call(inputs).outputs;
    auto outputs = calls_.call_alone(inputs).outputs;
    calls_.free();
    return outputs;
  }

  /// Learns how long a run of the reference takes, which bounds the first call: no expectation is there yet
  /// from which that could be known.
  void time_reference(PreparedCase& task_case) {
    if (task_case.baseline().reference_seconds() > 0) return;
    const auto& reference = prepared_.reference();
    const auto inputs = task_case.sets(InputSet::standard).draw_anew(reference, prepared_.random());
    const double begin = profiler::wall_seconds();
    reference.run_in_float64(inputs, task_case.definition());
    task_case.baseline().expectation_drawn(profiler::wall_seconds() - begin);
  }

  /// Where the case needs streaming, the call comes before the expectation, for which its buffers make room.
  bool check_set(PreparedCase& task_case, InputSet set, bool only_faithful) {
    auto& sets = task_case.sets(set);
    const auto& reference = prepared_.reference();
    const bool streaming = calls_.streaming();
    CallResult checked;
    Outputs inputs;
    if (streaming) {
      inputs = sets.draw_anew(reference, prepared_.random());
      checked = calls_.call_alone(inputs);
      if (!checked.outputs) return false;
      calls_.free();
    }
    const auto& secret =
        streaming ? sets.expect_for(reference, std::move(inputs)) : sets.draw(reference, prepared_.random());
    task_case.baseline().expectation_drawn(sets.seconds_to_draw() / verifier::runs_per_expectation);
    if (!streaming) checked = calls_.call(secret.inputs);
    if (!checked.outputs) return false;
    if (set == InputSet::standard && !task_case.definition().final &&
        !verifier::faithful_correct(task_, secret.expected, *checked.outputs))
      publicly_right_ = false;
    if (only_faithful) return true;
    if (checked.reason != Reason::none) return fail(checked.reason, checked.detail);
    const auto compared = compare(set, secret, *checked.outputs);
    if (streaming) prepared_.backend().memory().look();
    record_.figures(compared);
    if (!compared.ok) return fail(compared.reason, compared.detail, compared.mismatch);
    if (set != InputSet::standard) return true;
    // A random task's calls are compared with each other, beside the expectation.
    if (streaming && !verifier::is_random(task_)) return call_again_alone(sets, std::move(*checked.outputs));
    return (!streaming || calls_.map()) && call_again(secret, *checked.outputs) && observe_once();
  }

  verifier::Comparison compare(InputSet set, const SecretInputs& secret, const Outputs& outputs) {
    const profiler::ScopedMetric metric("correctness.compare");
    return verifier::compare_outputs(prepared_.reference(), task_, case_->definition(), set, secret.inputs,
                                     secret.expected, outputs);
  }

  /// Records which of torch's operators a module computes by, in one call right after a right one. A module
  /// that cannot be observed is not at fault. False: the runner is over.
  bool observe_once() {
    if (!observes_ || observed_) return true;
    observed_ = true;
    operators_ = calls_.observe(verdict_).value_or("");
    return !calls_.over();
  }

  /// Whether a second call with the same seeds draws the same bits: all outputs of a statistical task, or the
  /// choice alone. What follows from a choice may differ by rounding.
  bool draws_again(const SecretInputs& secret, const Outputs& first) {
    const auto checked = calls_.call(secret.inputs);
    if (!checked.outputs) return false;
    if (checked.reason != Reason::none) return fail(checked.reason, checked.detail);
    const bool same = task_.choice ? same_bits(verifier::choice_among(task_, first),
                                               verifier::choice_among(task_, *checked.outputs))
                                   : same_bits(first, *checked.outputs);
    if (same) return true;
    verdict_.run_to_run_differences = true;
    return fail(Reason::nondeterministic,
                fmt::format("two calls with equal seeds drew different {}: what is drawn must depend on the "
                            "seed and the place alone",
                            task_.choice ? task_.choice->outputs.front() : "numbers") +
                    record_.place());
  }

  /// Calls with equal seeds, where the task asks that these draw alike, then with other seeds, among them a
  /// neighbour of the first. A task without a seed has nothing to vary.
  bool call_with_other_seeds(const SecretInputs& secret, const Outputs& first) {
    if (task_.deterministic && !draws_again(secret, first)) return false;
    const auto& definition = case_->definition();
    std::vector<Outputs> calls{first};
    const auto others =
        verifier::inputs_with_other_seeds(task_, definition, secret.inputs, prepared_.random().next());
    for (const auto& inputs : others) {
      const auto checked = calls_.call(inputs);
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

  /// Calls a second time on the inputs that were compared last. Their expectation makes room for that, and is
  /// derived again only where the bits differ.
  bool call_again_alone(SecretSets& sets, Outputs first) {
    auto inputs = sets.latest()->inputs;
    sets.drop();
    auto checked = calls_.call_alone(inputs);
    if (!checked.outputs) return false;
    if (checked.reason != Reason::none) return fail(checked.reason, checked.detail);
    if (!same_bits(first, *checked.outputs)) {
      first.clear();
      calls_.free();
      if (!right_again(sets.expect_for(prepared_.reference(), inputs), *checked.outputs)) return false;
      checked = {};
      sets.drop();
      // Only what was just called can be observed.
      if (observes_ && !observed_ && !calls_.call_alone(inputs).outputs) return false;
    }
    return observe_once();
  }

  /// Compares a second call whose bits differ from the first one's.
  bool right_again(const SecretInputs& secret, const Outputs& outputs) {
    // Rows beyond the count of a data-dependent output hold poison both times, so all bits can be compared.
    verdict_.run_to_run_differences = true;
    const auto compared = compare(InputSet::standard, secret, outputs);
    if (!compared.ok)
      return fail(compared.reason, "the second call on the same inputs: " + compared.detail,
                  compared.mismatch);
    if (!task_.deterministic) return true;
    return fail(Reason::nondeterministic,
                "two calls on the same inputs gave different bits" + record_.place());
  }

  /// Calls a second time: with the same inputs in another slot, or with other seeds if randomness must follow
  /// them.
  bool call_again(const SecretInputs& secret, const Outputs& first) {
    if (verifier::is_random(task_)) return call_with_other_seeds(secret, first);
    const auto checked = calls_.call(secret.inputs);
    if (!checked.outputs) return false;
    if (checked.reason != Reason::none) return fail(checked.reason, checked.detail);
    return same_bits(first, *checked.outputs) || right_again(secret, *checked.outputs);
  }

  bool fail(Reason reason, const std::string& detail, const std::optional<Mismatch>& mismatch = {}) {
    record_.failed(reason, detail, mismatch);
    return false;
  }

  PreparedTask& prepared_;
  const Task& task_;
  const CorrectnessSettings& settings_;
  Verdict& verdict_;
  CorrectnessRecord record_;
  CandidateCalls calls_;
  PreparedCase* case_ = nullptr;
  bool failed_ = false;
  bool publicly_right_ = true;  // by what was compared
  bool observes_, observed_ = false;
  std::string operators_;  // torch's operators that it computes by
};

}  // namespace

std::optional<RunnerExit> check_correctness(PreparedTask& prepared, RunnerProcess& runner,
                                            const CorrectnessSettings& settings, Verdict& verdict) {
  return CorrectnessCheck(prepared, runner, settings, verdict).run();
}

}  // namespace ridgeline::judge
