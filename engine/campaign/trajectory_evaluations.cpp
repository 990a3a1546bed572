// A trajectory's evaluations. One that the machine failed is repeated (judge_health.hpp); a slot whose
// evaluation cannot be made now stays open, and a resume makes it.
#include <fmt/format.h>

#include <utility>

#include "engine/campaign/requests.hpp"
#include "engine/campaign/trajectory_parts.hpp"

namespace ridgeline::campaign {

void Trajectory::evaluate(const PendingPtr& pending, std::size_t slot) {
  auto judging = std::make_shared<Judging>();
  judging->batch = pending;
  judging->slot = slot;
  auto& record = judging->record;
  record.trajectory = record_.id;
  record.step = pending->step;
  record.slot = static_cast<int>(slot);
  record.round = pending->batch.round;
  record.candidate = judging->candidate().hash;
  record.request_hash = evaluation_hash(*task_, judging->candidate(), services_.conditions.evaluate);

  if (auto known = recorded_.take_evaluation(record.step, record.slot, record.request_hash, where_)) {
    if (known->status == EvaluationStatus::evaluated) budget_.restore({0, 1, 0, 0});
    return evaluated(pending, slot, std::move(*known));
  }
  if (coordinator_.pausing() || failure_) return;
  record.started_at = services_.now();
  const auto admission = admit_evaluation(budget_, services_.total, services_.wall_seconds());
  if (const auto* refused = std::get_if<RefusedByCampaign>(&admission))
    return coordinator_.pause({refused->reason, refused->key});
  if (std::holds_alternative<RefusedByTrajectory>(admission)) {
    record.status = EvaluationStatus::budget_exhausted;
    record.ended_at = record.started_at;
    return commit_verdict(judging);
  }
  judging->judged_before = judge_.judged();
  ++waiting_for_verdicts_;
  start_evaluation(judging);
}

void Trajectory::start_evaluation(const JudgingPtr& judging) {
  ++judging->tries;
  services_.evaluator.evaluate(
      {task_, judging->candidate(), services_.conditions.evaluate},
      guarded([this, judging](Verdict verdict) { on_verdict(judging, std::move(verdict)); }));
}

void Trajectory::on_verdict(const JudgingPtr& judging, Verdict verdict) {
  const auto use = judge_.decide(verdict, judging->tries, judging->judged_before);
  if (const auto* repeat = std::get_if<RepeatAfter>(&use); repeat && !coordinator_.pausing()) {
    services_.progress.evaluation_repeated(where_, verdict);
    return services_.after(repeat->seconds, guarded([this, judging] { start_evaluation(judging); }));
  }
  if (const auto* unclear = std::get_if<ProveMachine>(&use); unclear && !coordinator_.pausing()) {
    auto told = [this, judging, reason = unclear->reason,
                 verdict = std::move(verdict)](std::string problem) mutable {
      if (problem.empty()) return keep_verdict(judging, std::move(verdict));
      drop_evaluation();
      coordinator_.pause({fmt::format("{}; nor can it prove the task ({})", reason, problem), ""});
    };
    return services_.evaluator.prove(task_, guarded(std::move(told)));
  }
  if (std::holds_alternative<Keep>(use)) return keep_verdict(judging, std::move(verdict));
  drop_evaluation();
  if (const auto* task = std::get_if<TaskFails>(&use)) throw TaskCannotBeJudged(task->reason);
  if (const auto* machine = std::get_if<MachineFails>(&use)) coordinator_.pause({machine->reason, ""});
}

/// It is not recorded: a resume makes it.
void Trajectory::drop_evaluation() {
  --waiting_for_verdicts_;
  budget_.drop_evaluation();
  services_.total.drop_evaluation();
}

void Trajectory::keep_verdict(const JudgingPtr& judging, Verdict verdict) {
  --waiting_for_verdicts_;
  auto& record = judging->record;
  record.ended_at = services_.now();
  record.seconds = static_cast<double>(record.ended_at - record.started_at) * 1e-3;
  record.verdict = std::move(verdict);
  if (services_.baselines) services_.baselines->hear(record.verdict, record.ended_at);
  services_.progress.evaluated(where_, record.round, record.verdict);
  commit_verdict(judging);
}

void Trajectory::commit_verdict(const JudgingPtr& judging) {
  auto kept = judging->record;
  services_.writer.record(std::move(kept), committed([this, judging] {
                            evaluated(judging->batch, judging->slot, std::move(judging->record));
                          }));
}

}  // namespace ridgeline::campaign
