#include "engine/worker/judge/correctness/candidate_calls.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "engine/core/one_line.hpp"
#include "engine/worker/judge/correctness/fallback.hpp"
#include "engine/worker/judge/runners/call_failure.hpp"
#include "profiler/metrics.hpp"
#include "profiler/process_clock.hpp"

namespace ridgeline::judge {
namespace {

using runner::Answer;
using runner::Reply;

constexpr std::size_t kSlots = 2;       // two, so that a call never writes where the last one wrote
constexpr double kSetUpLimit = 10;      // seconds for mapping and arranging, including the workspace function
constexpr double kObservedFactor = 10;  // over a call's limit: each operator passes through the interpreter

}  // namespace

CandidateCalls::CandidateCalls(PreparedTask& prepared, RunnerProcess& runner,
                               const CorrectnessSettings& settings, CorrectnessRecord& record)
    : prepared_(prepared),
      task_(prepared.task()),
      memory_(prepared.backend().memory()),
      runner_(runner),
      settings_(settings),
      record_(record),
      allowance_(allowance_for(runner.interpreter(), settings.compiles)) {}

bool CandidateCalls::begin(PreparedCase& task_case) {
  case_ = &task_case;
  streaming_ = memory_.needs_streaming(task_, task_case.definition());
  slots_ = streaming_ ? 1 : kSlots;
  return streaming_ || map();
}

bool CandidateCalls::map() {
  arena_ = memory_.make_arena(task_, case_->definition(), slots_);
  return succeeded(runner_.map(*arena_, kSetUpLimit), kSetUpLimit);
}

void CandidateCalls::free() {
  if (!ended_) runner_.release_memory(kSetUpLimit);
  arena_.reset();
  memory_.give_back_cached();
}

void CandidateCalls::discard_fillings() {
  if (arena_) arena_->discard_fillings();
}

CallResult CandidateCalls::call_alone(const std::vector<at::Tensor>& inputs) {
  memory_.give_back_cached();
  if (!map()) return {};
  return call(inputs);
}

CallResult CandidateCalls::call(const std::vector<at::Tensor>& inputs) {
  const profiler::ScopedMetric metric("correctness.call");
  const std::size_t slot = next_slot_++ % slots_;
  arena_->shift(slot);
  if (!succeeded(runner_.arrange(*arena_, slots_, task_, case_->definition(), kSetUpLimit), kSetUpLimit))
    return {};
  arena_->fill(slot, inputs);
  arena_->settle();
  const double own_limit = limit_for(*case_, settings_.call_limit);
  const double limit = allowance_.limit_of(own_limit);
  const double begin = profiler::wall_seconds();
  if (!succeeded(runner_.call(slot, 1, limit).answer, limit)) return {};
  allowance_.spend(profiler::wall_seconds() - begin, own_limit);
  if (streaming_) memory_.look();
  auto inspected = arena_->inspect({.first = slot, .copied = {slot}, .filled = FilledSlot{slot, &inputs}});
  if (streaming_) memory_.look();  // with the copies
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

std::optional<std::string> CandidateCalls::observe(Verdict& verdict) {
  const double limit = kObservedFactor * limit_for(*case_, settings_.call_limit);
  const auto answer = runner_.observe((next_slot_ - 1) % slots_, limit);
  if (!std::holds_alternative<Reply>(answer)) {
    succeeded(answer, limit);
    return std::nullopt;
  }
  const auto& reply = std::get<Reply>(answer);
  const std::string_view text{reply.text.data(), reply.text_bytes};
  if (reply.answer == Answer::ok) return operators_in_words(text);
  verdict.notes.push_back(fmt::format("its operators could not be observed: {}", in_one_line(text)));
  return std::nullopt;
}

/// Returns false if the runner ended or refused; the record then says so, unless it holds an earlier cause.
bool CandidateCalls::succeeded(const RunnerAnswer& answer, double limit) {
  const auto* end = std::get_if<RunnerExit>(&answer);
  if (!end && std::get<Reply>(answer).answer == Answer::ok) return true;
  // A call of a case that counts did not end, so the answer is not right by the public rule either.
  failed_where_it_counts_ = failed_where_it_counts_ || !case_->definition().final;
  if (end) {
    ended_ = *end;
    record_.ended(explain_end(*end, limit, runner_.mapping(), arena_.get(), task_));
  } else {
    refused_ = true;
    record_.refused(explain_refusal(std::get<Reply>(answer), runner_.interpreter()));
  }
  return false;
}

}  // namespace ridgeline::judge
