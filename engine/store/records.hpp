// The store's records as plain structs: Writer takes them, Reader returns them. Times of day are milliseconds
// since 1970-01-01 UTC, spans are seconds.
//
// A trajectory's journal consists of AskRecords, EvaluationRecords and EffectEvents. An AskRecord and an
// EvaluationRecord stand at an address (trajectory, step, slot), at most one of each kind; EffectEvents are
// numbered. Text fields that are "JSON" hold a document as it was given; the store never edits it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/core/attempt.hpp"
#include "engine/core/candidate.hpp"
#include "engine/core/hash.hpp"
#include "engine/core/names.hpp"
#include "engine/core/roofline.hpp"
#include "engine/core/standing.hpp"
#include "engine/core/timing.hpp"
#include "engine/core/verdict.hpp"

namespace ridgeline::store {

using Id = std::int64_t;            ///< counted by the store from 1; 0: not stored yet
using Milliseconds = std::int64_t;  ///< since the epoch, UTC

struct CampaignRecord {
  Id id = 0;
  std::string name;         ///< unique in a store
  std::string config_text;  ///< the campaign file as JSON, with overrides applied
  Hash config_hash;
  Hash plan_hash;     ///< of the identities of all trajectories that were planned at first
  Hash prompts_hash;  ///< of the template set
  std::string engine_version;
  Milliseconds created_at = 0;
  Id origin = 0;  ///< the campaign that this one branched from; 0 if it is no branch
};

/// One run of the engine on a campaign, from start to end.
struct RunRecord {
  Milliseconds began_at = 0;
  Milliseconds ended_at = 0;  ///< 0: still running, or killed
  std::string ended_as;  ///< "finished", "interrupted", "waiting", "paused"; "" while it runs or if killed
  std::string reason;    ///< why the campaign paused
};

struct TaskRecord {
  Hash hash;
  std::string name;
  std::string category;
  std::string document;  ///< JSON of core's Task
};

enum class TrajectoryState {
  pending,
  running,  ///< also what a killed engine leaves behind
  finished,
  failed,     ///< its task cannot be judged, or the engine could not go on: `detail` says why
  incomplete  ///< cut short from outside (outage, shared cap, interruption): goes on with the campaign
};
constexpr auto enum_names(TrajectoryState) {
  return std::to_array<Name<TrajectoryState>>({{TrajectoryState::pending, "pending"},
                                               {TrajectoryState::running, "running"},
                                               {TrajectoryState::finished, "finished"},
                                               {TrajectoryState::failed, "failed"},
                                               {TrajectoryState::incomplete, "incomplete"}});
}

/// One strategy on one task with one model and one seed.
struct TrajectoryRecord {
  Id id = 0;  ///< ascending in the order in which the plan lists them
  Id campaign = 0;
  Hash task_hash;
  std::string task_name;
  std::string category;
  std::string strategy;       ///< the preset's name
  std::string strategy_json;  ///< JSON: the strategy's name and settings
  Language language = Language::cpp;
  std::string model;  ///< the generator's name in the campaign file
  std::uint64_t seed = 0;
  TrajectoryState state = TrajectoryState::pending;
  Milliseconds finished_at = 0;  ///< 0 while it is not finished, failed or incomplete
  std::string detail;            ///< why it failed or is incomplete
  Id origin = 0;                 ///< the trajectory that this one branched from; 0 if it did not branch
  int kept_steps = 0;            ///< leading steps that are copies of the origin's
  int kept_events = 0;           ///< leading EffectEvents that are copied with them; not stored
  /// JSON: every setting that could change the trajectory's course (campaign/identity.hpp). Once a step is
  /// recorded, a resume under another identity is refused. "" in records of an early ridgeline 0.1.
  std::string identity;
};

/// Numbers of tokens as the provider reports them.
struct TokenUsage {
  std::int64_t input = 0;
  std::int64_t output = 0;
  std::int64_t cached = 0;       ///< part of input
  std::int64_t reasoning = 0;    ///< part of output
  std::int64_t cache_write = 0;  ///< part of input
};

/// A cost of calls: known, or an upper bound.
struct Expense {
  std::int64_t tokens = 0;  ///< input and output together
  double usd = 0;
};

/// The result of one model request, whatever it was. A request that a budget refused, and one that a replay
/// has no recording of, have records too.
struct AskRecord {
  Id trajectory = 0;
  int step = 0;
  int slot = 0;
  int round = 0;
  Hash request_hash;  ///< of the request; a resume that asks something else at this address is refused
  std::string role;   ///< the prompt's template: "iterative/refine"
  bool critic = false;
  std::string model;  ///< its name in the campaign file
  std::optional<double> temperature;
  Hash change;  ///< the candidate that the prompt asked to change; "" for a first attempt
  std::string feedback =
      "[]";  ///< JSON array of {"kind", "about"}: each feedback in the prompt and its candidate
  std::string prompt = "[]";  ///< JSON array of {"role", "content"}: the messages as rendered
  std::string raw_request;
  std::string raw_response;
  std::string response_text;
  std::string reasoning;
  std::string finish_reason;
  std::string llm_status;  ///< name of the client's LlmStatus; "" where no model was asked
  std::string llm_detail;
  std::string provider_model;  ///< the model that answered, as the provider names it
  std::string model_id;        ///< the model that was asked for, as the provider names it
  std::string endpoint;        ///< scheme, host, port and path
  TokenUsage tokens;
  double usd = 0;
  Expense unsettled;      ///< at most this may be due beyond: the call broke off before its usage was known
  bool reserved = false;  ///< committing this deletes the StartedCall at the same address; not stored
  double seconds = 0;
  int attempts = 0;       ///< how often the request was sent, retries included
  bool diverged = false;  ///< replayed, but the recorded answer was given to another prompt
  AnswerStatus status = AnswerStatus::model_failed;
  std::string detail;
  Hash candidate;  ///< read from the answer; "" if it held none
  Milliseconds started_at = 0;
  Milliseconds ended_at = 0;
};

/// One sending of a model request that brought no result. The client sends it again, or a later run does.
struct FailedAttemptRecord {
  Id trajectory = 0;
  int step = 0;
  int slot = 0;
  int number = 0;  ///< counted from 1 for each request and run; 0: under way when the engine was killed
  std::string model;
  std::string model_id;
  std::string endpoint;
  std::string llm_status;  ///< name of the client's LlmStatus, or "killed"
  std::string detail;
  TokenUsage tokens;  ///< as far as reported
  double usd = 0;
  Expense unsettled;  ///< at most this may be due beyond `tokens` and `usd`
  double seconds = 0;
  std::string raw_response;
  Milliseconds at = 0;
};

/// A call that is about to be sent under a cap on tokens or money. It is committed before the call is sent
/// and deleted with the commit of the result. A record that is left after a kill may have been paid for.
struct StartedCall {
  Id trajectory = 0;
  int step = 0;
  int slot = 0;
  std::string model;
  Expense worst;  ///< the most that the call can cost
  Milliseconds started_at = 0;
};

/// The result of evaluating a candidate. The AskRecord at the same address holds the answer it came from.
struct EvaluationRecord {
  Id trajectory = 0;
  int step = 0;
  int slot = 0;
  int round = 0;
  Hash request_hash;
  Hash candidate;
  EvaluationStatus status = EvaluationStatus::evaluated;
  Verdict verdict;  ///< default-constructed unless `status` is evaluated
  double seconds = 0;
  std::string worker;
  Milliseconds started_at = 0;
  Milliseconds ended_at = 0;
};

enum class EffectEventKind {
  ended,     ///< this request ended first of several that the strategy waited for
  cancelled  ///< the strategy cancelled this request
};
constexpr auto enum_names(EffectEventKind) {
  return std::to_array<Name<EffectEventKind>>(
      {{EffectEventKind::ended, "ended"}, {EffectEventKind::cancelled, "cancelled"}});
}

/// A journaled fact about ends of requests. A strategy's decisions depend on these facts beside the results,
/// so a replay repeats them in the order of their ordinals.
struct EffectEvent {
  Id trajectory = 0;
  int ordinal = 0;  ///< from 0, in the order in which the strategy saw or decided them
  EffectEventKind event = EffectEventKind::ended;
  int step = 0;
  int slot = 0;
  std::string reason;  ///< why the request was cancelled
  Milliseconds at = 0;
};

/// A task that a campaign chose from a suite that may hold bad ones (KernelBench), runnable or not.
struct SuiteTaskRecord {
  std::string file;      ///< as the suite names it: "level1/23_Softmax"
  std::string name;      ///< as trajectories name it: "level1_23_Softmax"
  std::string category;  ///< "level1"
  Hash text_hash;        ///< of the suite's file; a changed file is examined again
  Hash task_hash;        ///< "": the file gave no task that a model could be asked to solve
  Standing standing = Standing::ok;
  std::string reason;              ///< why it has this standing; "" for ok and unchecked
  std::vector<std::string> notes;  ///< worth knowing, but no reason against the task
};

enum class BaselineKind {
  eager,   ///< speed-ups are over this
  compile  ///< torch.compile
};
constexpr auto enum_names(BaselineKind) {
  return std::to_array<Name<BaselineKind>>(
      {{BaselineKind::eager, "eager"}, {BaselineKind::compile, "compile"}});
}

/// A baseline's time for one case on one device, kept from campaign to campaign.
struct BaselineRecord {
  Hash task_hash;
  std::string device;
  BaselineKind kind = BaselineKind::eager;
  std::string case_name;
  std::string description;  ///< "eager LibTorch 2.11.0, 1 thread, float32"; or why there is no time
  Duration cold;            ///< a median of 0: measuring was tried and gave no time
  Milliseconds measured_at = 0;
  // Only records of kind `compile` have these.
  std::string mode = {};  ///< name of core's CompileMode
  double eager = 0;       ///< seconds: the eager baseline's median in the same evaluation
};

/// The ceilings of a device. A newer record of the same name replaces it.
struct DeviceRecord {
  std::string name;  ///< as in Verdict::device
  Ceilings ceilings;
  Milliseconds seen_at = 0;
};

/// One attempt in brief. It is read from the columns that SQL computes, so no text or verdict is parsed.
struct AttemptBrief {
  Id trajectory = 0;
  int step = 0;
  int slot = 0;
  int round = 0;
  bool critic = false;
  AnswerStatus answer = AnswerStatus::model_failed;
  std::optional<EvaluationStatus> evaluation;  ///< empty: nothing to evaluate, or not yet evaluated
  bool judged = false;             ///< Verdict::judged; false: the machine failed, and nothing is known
  bool correct = false;            ///< a candidate that cheated is not
  double speedup = 0;              ///< 0 unless correct and timed
  std::optional<Stage> failed_at;  ///< the first stage before profile that did not pass
  Reason reason = Reason::none;    ///< of that stage
  Milliseconds ended_at = 0;       ///< when its last result came
};

/// Sums what a trajectory or a campaign spent. Requests that reached no model are not counted: a budget
/// refused them, a recording was missing, or they were cancelled before they were sent.
struct Totals {
  std::int64_t calls = 0;  ///< model requests, those of critics included
  std::int64_t failed_attempts = 0;
  TokenUsage tokens;  ///< of answers and, as far as reported, of failed attempts
  double usd = 0;     ///< likewise
  Expense unsettled;  ///< at most this may be due beyond, for calls that broke off
  std::int64_t evaluations = 0;
  double llm_seconds = 0;  ///< of all calls and failed attempts, also where they overlap
  double evaluation_seconds = 0;
  double wall_seconds = 0;  ///< of a campaign's runs together; 0 for a trajectory
};

}  // namespace ridgeline::store
