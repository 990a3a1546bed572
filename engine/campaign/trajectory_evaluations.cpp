// A trajectory's evaluations. An evaluation that the machine failed is repeated (judge_health.hpp). An
// evaluation that cannot be made now stays unstarted, and a resume makes it. If a request is cancelled while
// it is judged, its verdict is dropped: what is on record must not depend on how fast the judge was.
#include <fmt/format.h>

#include <utility>

#include "engine/campaign/requests.hpp"
#include "engine/campaign/trajectory_parts.hpp"

namespace ridgeline::campaign {

bool Trajectory::wants_verdict(const PendingEffect& effect) const {
  return effect.request.kind == Kind::ask_and_evaluate && effect.attempt.answer.candidate;
}

void Trajectory::draft_evaluation(PendingEffect& effect) const {
  auto& record = effect.evaluation;
  record.trajectory = record_.id;
  record.step = effect.request.address.step;
  record.slot = effect.request.address.slot;
  record.round = effect.request.round;
  record.candidate = effect.candidate().hash;
  record.request_hash = evaluation_hash(*task_, effect.candidate(), services_.conditions.evaluate);
}

void Trajectory::evaluate(const EffectPtr& effect) {
  using enum PendingEffect::Stage;
  effect->stage = unstarted;
  if (coordinator_.pausing() || failure_) return;
  auto& record = effect->evaluation;
  record.started_at = services_.now();
  const auto admission = admit_evaluation(budget_, services_.total, services_.wall_seconds());
  if (const auto* refused = std::get_if<RefusedByCampaign>(&admission))
    return coordinator_.pause({refused->reason, refused->key});
  if (std::holds_alternative<RefusedByTrajectory>(admission)) {
    record.status = EvaluationStatus::budget_exhausted;
    record.ended_at = record.started_at;
    return commit_verdict(effect);
  }
  effect->stage = judging;
  effect->judged_before = judge_.judged();
  ++waiting_for_verdicts_;
  start_evaluation(effect);
}

void Trajectory::start_evaluation(const EffectPtr& effect) {
  if (effect->cancelled) return;  // while it waited to be judged again
  ++effect->tries;
  // Weak: a queued request must not keep the effect, and with it the prompt, alive.
  auto wanted = [weak = std::weak_ptr(effect)] {
    const auto still = weak.lock();
    return still && !still->cancelled;
  };
  services_.evaluator.evaluate(
      {task_, effect->candidate(), services_.conditions.evaluate, std::move(wanted)},
      guarded([this, effect](Verdict verdict) { on_verdict(effect, std::move(verdict)); }));
}

void Trajectory::on_verdict(const EffectPtr& effect, Verdict verdict) {
  if (effect->cancelled) return;
  const auto use = judge_.decide(verdict, effect->tries, effect->judged_before);
  if (const auto* repeat = std::get_if<RepeatAfter>(&use); repeat && !coordinator_.pausing()) {
    services_.progress.evaluation_repeated(where_, verdict);
    return services_.after(repeat->seconds, guarded([this, effect] { start_evaluation(effect); }));
  }
  if (const auto* unclear = std::get_if<ProveMachine>(&use); unclear && !coordinator_.pausing()) {
    auto on_proof = [this, effect, reason = unclear->reason,
                     verdict = std::move(verdict)](std::string problem) mutable {
      if (effect->cancelled) return;
      if (problem.empty()) return keep_verdict(effect, std::move(verdict));
      drop_evaluation(effect);
      coordinator_.pause({fmt::format("{}; nor can it prove the task ({})", reason, problem), ""});
    };
    return services_.evaluator.prove(task_, guarded(std::move(on_proof)));
  }
  if (std::holds_alternative<Keep>(use)) return keep_verdict(effect, std::move(verdict));
  drop_evaluation(effect);
  if (const auto* task = std::get_if<TaskFails>(&use)) throw TaskCannotBeJudged(task->reason);
  if (const auto* machine = std::get_if<MachineFails>(&use)) coordinator_.pause({machine->reason, ""});
}

// Takes an evaluation back without a record: a resume makes it. Until then it counts as never started, since
// the strategy may still cancel it.
void Trajectory::drop_evaluation(const EffectPtr& effect) {
  effect->stage = PendingEffect::Stage::unstarted;
  --waiting_for_verdicts_;
  budget_.drop_evaluation();
  services_.total.drop_evaluation();
}

void Trajectory::keep_verdict(const EffectPtr& effect, Verdict verdict) {
  --waiting_for_verdicts_;
  auto& record = effect->evaluation;
  record.ended_at = services_.now();
  record.seconds = static_cast<double>(record.ended_at - record.started_at) * 1e-3;
  record.verdict = std::move(verdict);
  if (services_.baselines) services_.baselines->record_from(record.verdict, record.ended_at);
  services_.progress.evaluated(where_, record.round, record.verdict);
  commit_verdict(effect);
}

void Trajectory::commit_verdict(const EffectPtr& effect) {
  effect->stage = PendingEffect::Stage::committing;
  auto kept = effect->evaluation;
  services_.writer.record(std::move(kept), committed([this, effect] {
                            auto& record = effect->evaluation;
                            if (record.status == EvaluationStatus::evaluated)
                              effect->attempt.evaluated = std::make_shared<ScoredCandidate>(ScoredCandidate{
                                  effect->candidate(), std::move(record.verdict), record.round});
                            finish(effect, record.ended_at);
                          }));
}

void Trajectory::commit_cancelled_evaluation(const EffectPtr& effect) {
  effect->stage = PendingEffect::Stage::ended;
  auto& record = effect->evaluation;
  record.status = EvaluationStatus::cancelled;
  record.ended_at = services_.now();
  if (record.started_at == 0) record.started_at = record.ended_at;
  services_.writer.record(std::move(record), committed([] {}));
}

}  // namespace ridgeline::campaign
