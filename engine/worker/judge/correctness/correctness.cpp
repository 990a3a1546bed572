#include "engine/worker/judge/correctness/correctness.hpp"

#include <ATen/ops/equal.h>
#include <fmt/format.h>

#include <algorithm>

#include "engine/core/one_line.hpp"
#include "engine/verifier/compare.hpp"
#include "engine/verifier/faithful.hpp"
#include "engine/worker/judge/correctness/correctness_record.hpp"
#include "engine/worker/judge/correctness/fallback.hpp"
#include "engine/worker/judge/correctness/public_rule.hpp"
#include "engine/worker/judge/tasks/task_cache.hpp"
#include "profiler/metrics.hpp"
#include "profiler/process_clock.hpp"

namespace ridgeline::judge {
namespace {

using runner::Answer;
using runner::Reply;
using Outputs = std::vector<at::Tensor>;

constexpr std::size_t kSlots = 2;       // the next call never lands where the last one was, if there is room
constexpr double kSetUpLimit = 10;      // seconds; mapping and arranging, the workspace function among it
constexpr double kCompileLimit = 300;   // seconds of all calls; the agent ends a judge that is silent for 600
constexpr double kObservedLonger = 10;  // than a call; each operator then passes through the interpreter

/// What one call came to.
struct Checked {
  std::optional<Outputs> outputs;  ///< empty: see `failure` or the runner's end
  Reason reason = Reason::none;
  std::string detail;
};

/// A NaN equals itself here: bits are compared, where they lie.
bool same_bits(const Outputs& a, const Outputs& b) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!at::equal(a[i].reshape(-1).view(at::kByte), b[i].reshape(-1).view(at::kByte))) return false;
  return true;
}

bool has_weights(const Task& task) {
  return std::ranges::any_of(task.tensors(), [](const Tensor* tensor) { return !tensor->state.empty(); });
}

class Walk {
 public:
  Walk(PreparedTask& prepared, RunnerProcess& runner, const CorrectnessSettings& settings, Verdict& verdict)
      : prepared_(prepared),
        task_(prepared.task()),
        runner_(runner),
        settings_(settings),
        verdict_(verdict),
        record_(verdict),
        to_compile_(settings.compiles ? kCompileLimit : 0) {}

  std::optional<RunnerExit> run() {
    std::vector<PreparedCase*> order;
    for (const auto& one : prepared_.cases()) {
      const auto& definition = one->definition();
      if (definition.final ? !settings_.final_cases : definition.hidden && !settings_.hidden_cases) continue;
      order.push_back(one.get());
    }
    std::stable_sort(order.begin(), order.end(), [](const PreparedCase* a, const PreparedCase* b) {
      return rank(a->definition()) < rank(b->definition());
    });
    for (auto* one : order) {
      if (ended_ || call_refused_) break;
      // A failed candidate's further cases only tell whether the public rule would have passed it.
      const bool only_faithful = failed_ && !one->definition().final;
      if (only_faithful && !publicly_right_) continue;
      if (failed_ && one->definition().final) continue;
      walk_case(*one, only_faithful);
    }
    if (task_.module && failed_) ask_public_rule();
    record_.finish();
    // Only here, at the end: an exception on the way (no memory, a task that does not run) leaves an answer
    // that nobody has judged, which is right by no rule.
    verdict_.faithful_correct = publicly_right_;
    if (verdict_.at(Stage::correctness).status == Status::passed)
      judge_fallback(settings_.fallback, operators_, verdict_);
    return ended_;
  }

 private:
  static int rank(const Case& one) { return one.final ? 2 : one.hidden ? 1 : 0; }

  void walk_case(PreparedCase& one, bool only_faithful) {
    case_ = &one;
    record_.at(one.definition());
    lean_ = prepared_.backend().lean(task_, one.definition());
    slots_ = lean_ ? 1 : kSlots;
    arena_ = prepared_.backend().make_arena(task_, one.definition(), slots_);
    if (!lean_ && !took(runner_.map(*arena_, kSetUpLimit))) return;
    bool case_failed = false;
    for (const auto set : kInputSets) {
      if (only_faithful && set != InputSet::standard) continue;
      record_.at(set);
      const bool good = walk_set(one, set, only_faithful);
      if (lean_) make_room(one.sets(set));
      if (ended_ || call_refused_) return;
      case_failed = case_failed || !good;
    }
    if (!case_failed) return;
    if (one.definition().final)
      record_.final_failed();
    else if (!only_faithful)
      failed_ = true;
  }

  /// What failed by our rule and not by KernelBench's has passed one of its five trials. (What passed ours is
  /// not asked again: where it is timed, it is held against further draws.) KernelBench constructs the
  /// answer's model and its own under one seed, so that one which keeps the weights of its construction, in
  /// another layout or in a graph, is right there: what failed is asked once more under those weights.
  void ask_public_rule() {
    const profiler::ScopedMetric metric("correctness.public_rule");
    auto& passes = publicly_right_;
    passes = passes && passes_publicly(prepared_.reference(), kPublicDraws - 1, true);
    if (passes || ended_ || call_refused_ || !has_weights(task_)) return;
    arena_->forget();
    const bool with_its_own =
        passes_publicly(*prepared_.backend().make_kernelbench_reference(task_), kPublicDraws, false);
    if (!with_its_own) return;
    // No second try for one that is right now and then: with other weights it must be wrong once more.
    arena_->forget();
    if (passes_publicly(prepared_.reference(), 1, true) || ended_ || call_refused_) return;
    passes = true;
    verdict_.notes.push_back(
        "right with the weights of its construction alone: it does not compute with those it is given "
        "afterwards, and is wrong with them");
  }

  /// `unless`: what is taken where the reference fails; the failure that is known stands then.
  bool passes_publicly(const verifier::Reference& reference, int draws, bool unless) try {
    return passes_public_rule(prepared_, *case_, reference, draws,
                              [&](const Outputs& inputs) { return call_mapped(inputs); });
  } catch (const std::exception& error) {
    if (!prepared_.backend().sound()) throw;
    verdict_.notes.push_back(
        fmt::format("KernelBench's rule could not be asked of {} draws: {}", draws, error.what()));
    return unless;
  }

  std::optional<Outputs> call_mapped(const Outputs& inputs) {
    if (ended_ || call_refused_) return {};
    if (lean_) {
      prepared_.backend().give_back_memory();
      if (!took(runner_.map(*arena_, kSetUpLimit))) return {};
    }
    auto outputs = call_once(inputs).outputs;
    if (lean_ && !ended_) runner_.rest(kSetUpLimit);
    return outputs;
  }

  /// For the derivation of the next set's expectations.
  void make_room(SecretSets& sets) {
    sets.drop();
    if (!ended_) runner_.rest(kSetUpLimit);  // one that ends here is told of at the next call
    prepared_.backend().give_back_memory();
  }

  bool walk_set(PreparedCase& one, InputSet set, bool only_faithful) {
    auto& sets = one.sets(set);
    const auto& secret = sets.draw(prepared_.reference(), prepared_.random());
    if (one.reference_seconds == 0)
      one.reference_seconds = sets.seconds_to_draw() / verifier::runs_per_expectation;
    if (lean_) {
      prepared_.backend().give_back_memory();
      if (!took(runner_.map(*arena_, kSetUpLimit))) return false;
    }
    const auto checked = call_once(secret.inputs);
    if (!checked.outputs) return false;
    if (set == InputSet::standard && !one.definition().final &&
        !verifier::faithful_correct(task_, secret.expected, *checked.outputs))
      publicly_right_ = false;
    if (only_faithful) return true;
    if (checked.reason != Reason::none) return fail(checked.reason, checked.detail);
    const auto compared = compare(set, secret.expected, *checked.outputs);
    record_.figures(compared);
    if (!compared.ok) return fail(compared.reason, compared.detail, compared.mismatch);
    if (set != InputSet::standard) return true;
    return call_again(one, secret, *checked.outputs) && observe_once();
  }

  verifier::Comparison compare(InputSet set, const verifier::Expected& expected, const Outputs& outputs) {
    const profiler::ScopedMetric metric("correctness.compare");
    return verifier::compare(task_, case_->definition(), set, expected, outputs);
  }

  /// By what a module computes; of one call, right after one that was right. What cannot be observed is no
  /// fault of the module's.
  bool observe_once() {
    if (!runner_.interpreter() || settings_.compiles || observed_) return true;
    observed_ = true;
    const double limit = kObservedLonger * limit_for(*case_, settings_.call_limit);
    const auto answer = runner_.observe((next_slot_ - 1) % slots_, limit);
    if (!std::holds_alternative<Reply>(answer)) return took(answer, limit);
    const auto& reply = std::get<Reply>(answer);
    const std::string_view told{reply.text.data(), reply.text_bytes};
    if (reply.answer == Answer::ok)
      operators_ = operators_in_words(told);
    else
      verdict_.notes.push_back(fmt::format("its operators could not be observed: {}", in_one_line(told)));
    return true;
  }

  /// The same inputs a second time, in another slot; other inputs where randomness must follow the seed.
  bool call_again(PreparedCase& one, const SecretInputs& secret, const Outputs& first) {
    if (std::holds_alternative<Statistical>(task_.contract)) {
      const auto& other =
          one.sets(InputSet::standard).draw_other(prepared_.reference(), prepared_.random(), secret);
      const auto checked = call_once(other.inputs);
      if (!checked.outputs) return false;
      const auto compared = verifier::compare_calls(task_, one.definition(), InputSet::standard,
                                                    secret.expected, first, *checked.outputs);
      return compared.ok || fail(compared.reason, compared.detail, compared.mismatch);
    }
    const auto checked = call_once(secret.inputs);
    if (!checked.outputs) return false;
    if (checked.reason != Reason::none) return fail(checked.reason, checked.detail);
    if (!same_bits(first, *checked.outputs)) {
      // Rows beyond the count of a data-dependent output hold poison both times, so bits can be compared
      // whole.
      verdict_.run_to_run_differences = true;
      const auto compared =
          verifier::compare(task_, one.definition(), InputSet::standard, secret.expected, *checked.outputs);
      if (!compared.ok)
        return fail(compared.reason, "the second call on the same inputs: " + compared.detail,
                    compared.mismatch);
      if (task_.deterministic)
        return fail(Reason::nondeterministic,
                    "two calls on the same inputs gave different bits" + record_.place());
    }
    return true;
  }

  Checked call_once(const Outputs& inputs) {
    const profiler::ScopedMetric metric("correctness.call");
    const std::size_t slot = next_slot_++ % slots_;
    const auto& definition = case_->definition();
    arena_->shift(slot);
    if (!took(runner_.arrange(*arena_, slots_, task_, definition, kSetUpLimit))) return {};
    arena_->fill(slot, inputs);
    arena_->settle();
    const double limit = std::max(to_compile_, limit_for(*case_, settings_.call_limit));
    const double begin = profiler::wall_seconds();
    if (!took(runner_.call(slot, 1, limit).answer, limit)) return {};
    to_compile_ -= profiler::wall_seconds() - begin;
    auto found = arena_->look({.first = slot, .copied = {slot}, .filled = Filled{slot, &inputs}});
    Checked checked{std::move(found.copies.front()), Reason::none, {}};
    if (found.damage) {
      checked.reason = Reason::out_of_bounds_write;
      checked.detail = describe(*found.damage, task_) + record_.place();
    } else if (found.changed_input) {
      checked.reason = Reason::input_modified;
      checked.detail =
          fmt::format("the input `{}` was changed; inputs are const", *found.changed_input) + record_.place();
    }
    return checked;
  }

  /// False: the runner ended or refused, and the verdict says so unless an earlier cause stands.
  bool took(const RunnerAnswer& answer, double limit = kSetUpLimit) {
    if (const auto* end = std::get_if<RunnerExit>(&answer)) {
      ended_ = *end;
      forget_public_rule();
      record_.ended(explain_end(*end, limit, runner_.mapping(), arena_.get(), task_));
      return false;
    }
    const auto& reply = std::get<Reply>(answer);
    if (reply.answer == Answer::ok) return true;
    call_refused_ = true;
    forget_public_rule();
    record_.refused(explain_refusal(reply, runner_.interpreter()));
    return false;
  }

  /// A call of a case that counts came to no end.
  void forget_public_rule() { publicly_right_ = publicly_right_ && case_->definition().final; }

  bool fail(Reason reason, const std::string& detail, const std::optional<Mismatch>& mismatch = {}) {
    record_.failed(reason, detail, mismatch);
    return false;
  }

  PreparedTask& prepared_;
  const Task& task_;
  RunnerProcess& runner_;
  const CorrectnessSettings& settings_;
  Verdict& verdict_;
  CorrectnessRecord record_;
  PreparedCase* case_ = nullptr;
  std::unique_ptr<Arena> arena_;
  std::size_t slots_ = kSlots, next_slot_ = 0;
  double to_compile_;  // seconds that are left for it
  bool lean_ = false;  // the case at hand is (Backend::lean)
  std::optional<RunnerExit> ended_;
  bool call_refused_ = false;
  bool failed_ = false;
  bool publicly_right_ = true;  // by KernelBench's rule, as far as it was asked
  bool observed_ = false;
  std::string operators_;  // of torch, in words
};

}  // namespace

std::optional<RunnerExit> check_correctness(PreparedTask& prepared, RunnerProcess& runner,
                                            const CorrectnessSettings& settings, Verdict& verdict) {
  return Walk(prepared, runner, settings, verdict).run();
}

}  // namespace ridgeline::judge
