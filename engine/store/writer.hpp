// The one writer of a store: a thread that commits what others record, many records a transaction.
//
// A record is acknowledged (its Done called without an exception) after the transaction that holds it is on
// disk. Records are written in the order of the calls. A transaction takes what is queued, for at most 2 ms,
// and is then committed. It does not wait for further records, so a lone one is committed at once.
//
// Back-pressure: the queue holds `capacity` records, those being committed not counted; `record` blocks while
// it is full.
//
// Errors: a record that breaks a rule of the schema (an address written twice, an unknown candidate) fails
// alone. A failure of the store itself (disk full, I/O error) fails its whole transaction and every later
// record with the same MachineCannot: the first cause wins, nothing that was acknowledged is touched, and the
// engine may resume later.
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/store/records.hpp"

namespace SQLite {
class Database;
}

namespace ridgeline::store {

class CommitQueue;
class Store;

using Done = std::function<void(std::exception_ptr)>;     ///< null: committed
using Post = std::function<void(std::function<void()>)>;  ///< runs its argument on the owner's thread, soon
inline constexpr std::size_t default_queue_capacity = 1024;

class Writer {
 public:
  /// Opens connections of its own, so `store` need not outlive it. Throws MachineCannot if the store was
  /// opened read-only. `post` is called on the writer's thread and must not block; every Done runs inside
  /// what it was handed.
  Writer(const Store& store, Post post, std::size_t capacity = default_queue_capacity);
  /// Commits what is queued, posts the Dones of all that, joins the thread.
  ~Writer();
  Writer(const Writer&) = delete;  // the thread holds its address
  Writer& operator=(const Writer&) = delete;

  // Asynchronous, from any thread. An empty Done is allowed.
  void record(AskRecord ask, std::optional<Candidate> candidate, Done done);
  void record(FailedAttemptRecord attempt, Done done);
  /// Before a call is sent; see StartedCall. `record(AskRecord)` with `reserved` ends it, or `end_call`.
  void start_call(StartedCall call, Done done);
  void end_call(Id trajectory, int step, int slot, Done done);
  void record(EvaluationRecord evaluation, Done done);
  void record(EffectEvent event, Done done);
  void record(BaselineRecord baseline,
              Done done);                       ///< replaces that of the same task, device, kind, mode, case
  void record(DeviceRecord device, Done done);  ///< replaces the one of the same name
  void set_state(Id trajectory, TrajectoryState state, std::string detail, Milliseconds now, Done done);

  // These wait for their own commit and throw its error. Any thread may call them but the writer's, on which
  // a Done runs if `post` calls it at once: there they would wait for ever.

  /// Writes a campaign with its tasks (known hashes are left as they are) and trajectories, those of a branch
  /// with a copy of the steps and events that they keep of their origins; fills in all ids. All or nothing.
  void create(CampaignRecord& campaign, const std::vector<TaskRecord>& tasks,
              std::vector<TrajectoryRecord>& trajectories);
  /// Adds to a campaign that exists; fills in the ids.
  void add(Id campaign, const std::vector<TaskRecord>& tasks, std::vector<TrajectoryRecord>& trajectories);
  /// Gives trajectories of which nothing is recorded yet another task, strategy, model and identity; found by
  /// id.
  void change(const std::vector<TaskRecord>& tasks, const std::vector<TrajectoryRecord>& trajectories);
  /// Records what an examination found about the files of a campaign's suite (Standing). Overwrites the
  /// record of a file that is stored already; leaves records of files that are not in `suite`. The tasks that
  /// are named must be in the store.
  void keep_suite(Id campaign, const std::vector<SuiteTaskRecord>& suite);
  /// Records that the engine runs this campaign from now on, and returns the run's id. An earlier run that
  /// was killed gets the time of its last result as its end, and its calls under way become failed attempts.
  Id begin_run(Id campaign, Milliseconds now);
  /// `ended_as`: "finished", "interrupted", "waiting" or "paused", and why.
  void end_run(Id run, Milliseconds now, const std::string& ended_as, const std::string& reason);
  /// Runs `work` on the writer's connection, inside a transaction of its own.
  void transact(std::function<void(SQLite::Database&)> work);
  /// Returns when everything recorded before is committed or has failed, and its Done was posted.
  /// Throws if the store has failed for good.
  void flush();

 private:
  std::unique_ptr<CommitQueue> queue_;
};

}  // namespace ridgeline::store
