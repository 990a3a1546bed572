#include "engine/store/writer.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "engine/core/codec.hpp"
#include "engine/store/commit_queue.hpp"
#include "engine/store/inserts.hpp"
#include "engine/store/journal_copy.hpp"
#include "engine/store/packed.hpp"
#include "engine/store/runs.hpp"
#include "engine/store/suite_tasks.hpp"
#include "engine/store/verdict_document.hpp"

namespace ridgeline::store {
namespace {

void insert_all(Inserts& inserts, Id campaign, const std::vector<TaskRecord>& tasks,
                std::vector<TrajectoryRecord>& trajectories) {
  for (const auto& task : tasks) inserts.task(task);
  for (auto& trajectory : trajectories) {
    trajectory.campaign = campaign;
    trajectory.id = inserts.trajectory(trajectory);
    if (trajectory.kept_steps > 0)
      copy_journal(inserts.database(), trajectory.origin, trajectory.id,
                   {trajectory.kept_steps, trajectory.kept_events});
  }
}

bool at_rest(TrajectoryState state) {
  return state != TrajectoryState::pending && state != TrajectoryState::running;
}

}  // namespace

Writer::Writer(const Store& store, Post post, std::size_t capacity)
    : queue_(std::make_unique<CommitQueue>(store, std::move(post), capacity)) {}
Writer::~Writer() = default;

void Writer::record(AskRecord ask, std::optional<Candidate> candidate, Done done) {
  // Compressed here, as documents are made here: beside the writer's thread, which has enough to do.
  ask.raw_request = packed(ask.raw_request);
  ask.raw_response = packed(ask.raw_response);
  queue_->push({.work =
                    [ask = std::move(ask), candidate = std::move(candidate)](Inserts& inserts) {
                      if (candidate) inserts.candidate(*candidate);
                      inserts.ask(ask, candidate ? dump_json(candidate->parents) : "[]");
                    },
                .done = std::move(done)});
}

void Writer::record(FailedAttemptRecord attempt, Done done) {
  attempt.raw_response = packed(attempt.raw_response);
  queue_->push({.work = [attempt = std::move(attempt)](Inserts& inserts) { inserts.failed_attempt(attempt); },
                .done = std::move(done)});
}

void Writer::start_call(StartedCall call, Done done) {
  queue_->push({.work = [call = std::move(call)](Inserts& inserts) { inserts.started_call(call); },
                .done = std::move(done)});
}

void Writer::end_call(Id trajectory, int step, int slot, Done done) {
  queue_->push(
      {.work = [trajectory, step, slot](Inserts& inserts) { inserts.ended_call(trajectory, step, slot); },
       .done = std::move(done)});
}

void Writer::record(EvaluationRecord evaluation, Done done) {
  // The document is made here, beside the writer's thread, which has enough to do.
  std::optional<StoredVerdict> stored;
  if (evaluation.status == EvaluationStatus::evaluated) stored = stored_verdict(evaluation.verdict);
  const auto& ceilings = evaluation.verdict.ceilings;
  auto roofs = ceilings ? dump_json(*ceilings) : "";
  auto device = std::move(evaluation.verdict.device);
  evaluation.verdict = {};  // it is in `stored`, and need not wait in the queue a second time
  queue_->push({.work =
                    [record = std::move(evaluation), stored = std::move(stored), roofs = std::move(roofs),
                     device = std::move(device)](Inserts& inserts) {
                      inserts.evaluation(record, stored);
                      if (roofs.empty()) return;
                      // The device's, not the candidate's: they rise as the worker measures again.
                      inserts.device({.name = device, .ceilings = {}, .seen_at = record.ended_at}, roofs);
                    },
                .done = std::move(done)});
}

void Writer::record(EffectEvent event, Done done) {
  queue_->push({.work = [event = std::move(event)](Inserts& inserts) { inserts.effect_event(event); },
                .done = std::move(done)});
}

void Writer::record(BaselineRecord baseline, Done done) {
  queue_->push({.work = [baseline = std::move(baseline)](Inserts& inserts) { inserts.baseline(baseline); },
                .done = std::move(done)});
}

void Writer::record(DeviceRecord device, Done done) {
  queue_->push({.work = [device = std::move(device)](
                            Inserts& inserts) { inserts.device(device, dump_json(device.ceilings)); },
                .done = std::move(done)});
}

void Writer::set_state(Id trajectory, TrajectoryState state, std::string detail, Milliseconds now,
                       Done done) {
  queue_->push(
      {.work = [trajectory, state, detail = std::move(detail), now](
                   Inserts& inserts) { inserts.state(trajectory, state, detail, at_rest(state) ? now : 0); },
       .done = std::move(done)});
}

void Writer::create(CampaignRecord& campaign, const std::vector<TaskRecord>& tasks,
                    std::vector<TrajectoryRecord>& trajectories) {
  queue_->push_and_wait(
      [&](Inserts& inserts) {
        campaign.id = inserts.campaign(campaign);
        insert_all(inserts, campaign.id, tasks, trajectories);
      },
      true);
}

void Writer::add(Id campaign, const std::vector<TaskRecord>& tasks,
                 std::vector<TrajectoryRecord>& trajectories) {
  queue_->push_and_wait([&](Inserts& inserts) { insert_all(inserts, campaign, tasks, trajectories); }, true);
}

void Writer::change(const std::vector<TaskRecord>& tasks, const std::vector<TrajectoryRecord>& trajectories) {
  queue_->push_and_wait(
      [&](Inserts& inserts) {
        for (const auto& task : tasks) inserts.task(task);
        for (const auto& trajectory : trajectories) inserts.change(trajectory);
      },
      true);
}

void Writer::keep_suite(Id campaign, const std::vector<SuiteTaskRecord>& suite) {
  queue_->push_and_wait([&](Inserts& inserts) { store::keep_suite(inserts.database(), campaign, suite); },
                        true);
}

Id Writer::begin_run(Id campaign, Milliseconds now) {
  Id run = 0;
  queue_->push_and_wait([&](Inserts& inserts) { run = store::begin_run(inserts.database(), campaign, now); },
                        true);
  return run;
}

void Writer::end_run(Id run, Milliseconds now, const std::string& ended_as, const std::string& reason) {
  queue_->push_and_wait(
      [&](Inserts& inserts) { store::end_run(inserts.database(), run, now, ended_as, reason); }, true);
}

void Writer::transact(std::function<void(SQLite::Database&)> work) {
  queue_->push_and_wait([&](Inserts& inserts) { work(inserts.database()); }, true);
}

void Writer::flush() {
  queue_->push_and_wait([](Inserts&) {}, false);
}

}  // namespace ridgeline::store
