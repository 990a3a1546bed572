// Reads records from the store. Every function sees all that was committed when it was called; none changes
// anything. All throw MachineCannot where the file is damaged.
//
// A Reader owns one database connection, so each thread needs a Reader of its own.
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

/// A model request with its result, the candidate in the answer and the candidate's evaluation.
struct AttemptRecord {
  AskRecord ask;
  std::optional<Candidate> candidate;  ///< with its parents; empty if the answer held none
  std::optional<EvaluationRecord> evaluation;
  bool cancelled = false;         ///< the strategy cancelled it and never saw its result
  std::string cancelled_because;  ///< "" unless cancelled
};

/// Selects the texts of an AskRecord that are read; the others stay empty. Over a large store, reading and
/// decompressing all of them takes a third of the time.
enum class AskTexts {
  none,    ///< only the answer's text and the candidate
  prompt,  ///< also the prompt and the reasoning
  all      ///< also the raw request and response
};

class Reader {
 public:
  explicit Reader(const Store& store);
  ~Reader();
  Reader(Reader&&) noexcept;

  std::vector<CampaignRecord> campaigns() const;  ///< in the order in which they were created
  std::optional<CampaignRecord> campaign(const std::string& name) const;
  /// Returns the newest campaign whose origin is `campaign`; empty if it has no branch.
  std::optional<CampaignRecord> newest_branch(Id campaign) const;

  std::vector<TaskRecord> tasks() const;  ///< sorted by name
  std::optional<TaskRecord> task(const Hash& hash) const;

  std::vector<TrajectoryRecord> trajectories(Id campaign) const;  ///< in plan order
  std::vector<TrajectoryRecord> trajectories() const;             ///< of all campaigns, in the order of ids
  std::optional<TrajectoryRecord> trajectory(Id id) const;

  /// Returns all attempts of a trajectory with their verdicts, ordered by step and slot.
  std::vector<AttemptRecord> attempts(Id trajectory, AskTexts texts = AskTexts::all) const;
  /// Returns the sendings of model requests that brought no result, in the order in which they failed.
  std::vector<FailedAttemptRecord> failed_attempts(Id trajectory) const;
  /// Returns whether the journal holds anything of the trajectory: a result of a model request or an event.
  bool has_steps(Id trajectory) const;
  /// Sums the cost of the trajectory's failed attempts: the reported cost, plus the most that may be due
  /// beyond it.
  Expense failed_expense(Id trajectory) const;
  std::optional<RunRecord> last_run(Id campaign) const;  ///< empty if it never ran
  /// Returns all attempts of a campaign in brief, ordered by trajectory, step and slot.
  std::vector<AttemptBrief> briefs(Id campaign) const;
  /// Returns a candidate without its parents, which are stored with the request that it answered.
  std::optional<Candidate> candidate(const Hash& hash) const;

  /// Returns the standing of each task that the campaign chose from its suite. Empty for a suite that is
  /// proven as a whole (native).
  std::vector<SuiteTaskRecord> suite_tasks(Id campaign) const;
  std::vector<BaselineRecord> baselines() const;
  /// Returns each task and device on which a correct candidate of the campaign was timed, once.
  std::vector<std::pair<Hash, std::string>> timed_places(Id campaign) const;
  std::vector<BaselineRecord> baselines(const Hash& task, const std::string& device) const;
  std::vector<DeviceRecord> devices() const;

  /// Sums what a campaign has spent.
  Totals totals(Id campaign) const;
  /// Sums what each trajectory of a campaign has spent; trajectories that spent nothing are left out.
  std::map<Id, Totals> totals_by_trajectory(Id campaign) const;

  const SQLite::Database& database() const { return *database_; }

 private:
  std::unique_ptr<SQLite::Database> database_;
};

}  // namespace ridgeline::store
