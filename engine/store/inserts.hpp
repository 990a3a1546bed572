// The statements that write, prepared once a connection. Used on the writer's thread, inside its
// transactions.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <optional>
#include <string>
#include <vector>

#include "engine/store/records.hpp"
#include "engine/store/verdict_document.hpp"

namespace ridgeline::store {

class Inserts {
 public:
  explicit Inserts(SQLite::Database& database);

  void candidate(const Candidate& candidate);
  /// `parents`: JSON array of hashes.
  void ask(const AskRecord& ask, const std::string& parents);
  void failed_attempt(const FailedAttemptRecord& attempt);
  void started_call(const StartedCall& call);
  void ended_call(Id trajectory, int step, int slot);
  void effect_event(const EffectEvent& event);
  /// `verdict` in place of the record's own; none where nothing was evaluated.
  void evaluation(const EvaluationRecord& evaluation, const std::optional<StoredVerdict>& verdict);
  void baseline(const BaselineRecord& baseline);
  void device(const DeviceRecord& device, const std::string& ceilings);
  void state(Id trajectory, TrajectoryState state, const std::string& detail, Milliseconds finished_at);

  Id campaign(const CampaignRecord& campaign);
  void task(const TaskRecord& task);
  Id trajectory(const TrajectoryRecord& trajectory);
  void change(const TrajectoryRecord& trajectory);

  SQLite::Database& database() { return database_; }

 private:
  SQLite::Database& database_;
  SQLite::Statement candidate_, ask_, failed_attempt_, started_call_, ended_call_, effect_event_, evaluation_;
  SQLite::Statement baseline_, device_, state_, campaign_, task_, trajectory_;
};

}  // namespace ridgeline::store
