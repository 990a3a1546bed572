// Typed queries. Every function sees what was committed when it was called; none changes anything.
//
// A Reader holds one connection: one a thread. Throws MachineCannot where the file is damaged.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/store/records.hpp"

namespace SQLite {
class Database;
}

namespace ridgeline::store {

class Store;

/// One ask with what came of it.
struct AttemptRecord {
  AskRecord ask;
  std::optional<Candidate> candidate;
  std::optional<EvaluationRecord> evaluation;
  bool cancelled = false;  ///< the strategy gave it up; whatever came of it was never seen
  std::string cancelled_because;
};

/// Which texts of an ask are read. The others stay empty: over a large store, reading and decompressing them
/// takes a third of the time.
enum class AskTexts {
  none,    ///< the answer's text and its candidate alone
  prompt,  ///< the prompt and the reasoning too
  all      ///< the raw exchange too
};

class Reader {
 public:
  explicit Reader(const Store& store);
  ~Reader();
  Reader(Reader&&) noexcept;

  std::vector<CampaignRecord> campaigns() const;  ///< in the order of their making
  std::optional<CampaignRecord> campaign(const std::string& name) const;
  std::optional<CampaignRecord> newest_branch(Id campaign) const;  ///< that has it as its origin

  std::vector<TaskRecord> tasks() const;  ///< by name
  std::optional<TaskRecord> task(const Hash& hash) const;

  std::vector<TrajectoryRecord> trajectories(Id campaign) const;  ///< in plan order
  std::vector<TrajectoryRecord> trajectories() const;             ///< of all campaigns, in order
  std::optional<TrajectoryRecord> trajectory(Id id) const;

  /// All attempts of a trajectory with their verdicts, ordered by step and slot.
  std::vector<AttemptRecord> attempts(Id trajectory, AskTexts texts = AskTexts::all) const;
  /// Attempts to ask that brought nothing, in the order in which they failed.
  std::vector<FailedAttemptRecord> failed_attempts(Id trajectory) const;
  /// An answer, a verdict or an event of it is in the journal.
  bool has_steps(Id trajectory) const;
  /// What they came to, and may have come to at most.
  Expense failed_expense(Id trajectory) const;
  std::optional<RunRecord> last_run(Id campaign) const;
  /// All of a campaign's steps in brief, ordered by trajectory, step and slot.
  std::vector<AttemptBrief> briefs(Id campaign) const;
  std::optional<Candidate> candidate(const Hash& hash) const;  ///< without parents: they belong to an ask

  /// What is known of the suite that the campaign chose its tasks from; empty for one that is proven as a
  /// whole.
  std::vector<SuiteTaskRecord> suite_tasks(Id campaign) const;
  std::vector<BaselineRecord> baselines() const;
  /// Where right candidates of the campaign were timed: task and device.
  std::vector<std::pair<Hash, std::string>> timed_places(Id campaign) const;
  std::vector<BaselineRecord> baselines(const Hash& task, const std::string& device) const;
  std::vector<DeviceRecord> devices() const;

  Totals totals(Id campaign) const;
  std::map<Id, Totals> totals_by_trajectory(
      Id campaign) const;  ///< trajectories that spent nothing are left out

  const SQLite::Database& database() const { return *database_; }

 private:
  std::unique_ptr<SQLite::Database> database_;
};

}  // namespace ridgeline::store
