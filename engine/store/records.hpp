// What the store keeps, as plain structs. Times of day are milliseconds since 1970-01-01 UTC, spans are
// seconds.
//
// A trajectory's journal is its AskRecords and EvaluationRecords, keyed by (trajectory, step, slot), at most
// one of each kind at an address, and its EffectEvents in their order. Text fields named "JSON" hold a
// document as it was given and are never edited here.
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

using Id = std::int64_t;            ///< given by the store, from 1; 0 means "not stored yet"
using Milliseconds = std::int64_t;  ///< since the epoch, UTC

struct CampaignRecord {
  Id id = 0;
  std::string name;         ///< unique in a store
  std::string config_text;  ///< the campaign file as JSON, with overrides applied
  Hash config_hash;
  Hash plan_hash;     ///< of the expanded plan: a resume under another plan is refused by it
  Hash prompts_hash;  ///< of the template set
  std::string engine_version;
  Milliseconds created_at = 0;
  Id origin = 0;  ///< the campaign that this one is a branch of; 0 if it is none
};

/// One time that the engine ran a campaign.
struct RunRecord {
  Milliseconds began_at = 0;
  Milliseconds ended_at = 0;  ///< 0: it runs, or was killed
  std::string ended_as;  ///< "finished", "interrupted", "waiting", "paused"; "" while it runs or if killed
  std::string reason;    ///< why it paused
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

/// One strategy on one task with one model and seed.
struct TrajectoryRecord {
  Id id = 0;  ///< ascending in the order in which the plan lists them
  Id campaign = 0;
  Hash task_hash;
  std::string task_name;
  std::string category;
  std::string strategy;       ///< label: the preset's name
  std::string strategy_json;  ///< strategy's name and settings
  Language language = Language::cpp;
  std::string model;
  std::uint64_t seed = 0;
  TrajectoryState state = TrajectoryState::pending;
  Milliseconds finished_at = 0;  ///< 0 while it is not finished, failed or incomplete
  std::string detail;
  Id origin = 0;        ///< the trajectory that this one branched from; 0 if it is its own
  int kept_steps = 0;   ///< its first steps, which are copies of the origin's
  int kept_events = 0;  ///< likewise of EffectEvents; not stored
  /// JSON: all that could change its walk (campaign/identity.hpp); "" where an early ridgeline 0.1 recorded
  /// it. A resume under another one is refused.
  std::string identity;
};

struct TokenUsage {
  std::int64_t input =
      0;  ///< as the provider reports them; cached are part of input, reasoning part of output
  std::int64_t output = 0;
  std::int64_t cached = 0;
  std::int64_t reasoning = 0;
  std::int64_t cache_write = 0;  ///< part of input
};

/// What was or may have been spent on calls.
struct Expense {
  std::int64_t tokens = 0;  ///< input and output together
  double usd = 0;
};

/// The result of one Ask, whatever it was; refusals by a budget and missing recordings are records too.
struct AskRecord {
  Id trajectory = 0;
  int step = 0;
  int slot = 0;
  int round = 0;
  Hash request_hash;  ///< of what was asked; a resume that asks something else here is refused
  std::string role;   ///< template: "iterative/refine"
  bool critic = false;
  std::string model;
  std::optional<double> temperature;
  Hash change;  ///< the candidate that the prompt asked to change; "" for a first attempt
  std::string feedback =
      "[]";  ///< JSON array of {"kind", "about"}: what stood in the prompt, about which candidate
  std::string prompt = "[]";  ///< JSON array of {"role", "content"}: the messages as rendered
  std::string raw_request;
  std::string raw_response;
  std::string response_text;
  std::string reasoning;
  std::string finish_reason;
  std::string llm_status;  ///< the client's status by name; "" where no model was asked
  std::string llm_detail;
  std::string provider_model;  ///< the model the provider says answered
  std::string model_id;        ///< the model that was asked for: `model` is only the campaign's name of it
  std::string endpoint;        ///< scheme, host, port and path
  TokenUsage tokens;
  double usd = 0;
  Expense unsettled;      ///< at most what it may have cost beyond: it broke off before its usage was known
  bool reserved = false;  ///< a StartedCall stands at its address and goes with this record; not stored
  double seconds = 0;
  int attempts = 0;       ///< requests sent, retries counted
  bool diverged = false;  ///< a replayed answer whose prompt was another one when it was recorded
  AnswerStatus status = AnswerStatus::model_failed;
  std::string detail;
  Hash candidate;  ///< read from the answer; "" if none
  Milliseconds started_at = 0;
  Milliseconds ended_at = 0;
};

/// An attempt to ask that brought no result. The call goes on, or is asked again by a later run.
struct FailedAttemptRecord {
  Id trajectory = 0;
  int step = 0;
  int slot = 0;
  int number = 0;  ///< of its call within one run, from 1; 0: it was under way when the engine was killed
  std::string model;
  std::string model_id;
  std::string endpoint;
  std::string llm_status;  ///< the client's status by name, or "killed"
  std::string detail;
  TokenUsage tokens;  ///< as far as reported
  double usd = 0;
  Expense unsettled;  ///< at most what it may have cost beyond
  double seconds = 0;
  std::string raw_response;
  Milliseconds at = 0;
};

/// A call that is about to be made under a cap on tokens or money. It is committed before the call is sent,
/// and goes when the call's result is committed: after a kill, what stands there may have been paid for.
struct StartedCall {
  Id trajectory = 0;
  int step = 0;
  int slot = 0;
  std::string model;
  Expense worst;
  Milliseconds started_at = 0;
};

/// The result of evaluating the candidate that the ask at the same address brought.
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
  ended,     ///< of several requests that the strategy waited for, this one ended first
  cancelled  ///< the strategy gave it up
};
constexpr auto enum_names(EffectEventKind) {
  return std::to_array<Name<EffectEventKind>>(
      {{EffectEventKind::ended, "ended"}, {EffectEventKind::cancelled, "cancelled"}});
}

/// What a trajectory's walk depends on beside results. A replay follows the events by their ordinals.
struct EffectEvent {
  Id trajectory = 0;
  int ordinal = 0;  ///< from 0, in the order in which the strategy saw or decided it
  EffectEventKind event = EffectEventKind::ended;
  int step = 0;
  int slot = 0;
  std::string reason;  ///< why it was cancelled
  Milliseconds at = 0;
};

/// A task that a campaign chose from a suite that may hold bad ones (KernelBench), runnable or not.
struct SuiteTaskRecord {
  std::string file;      ///< as the suite names it: "level1/23_Softmax"
  std::string name;      ///< as trajectories name it: "level1_23_Softmax"
  std::string category;  ///< "level1"
  Hash text_hash;        ///< of the suite's file, so that a changed one is looked at again
  Hash task_hash;        ///< "": it became no task that anybody is asked to answer
  Standing standing = Standing::ok;
  std::string reason;              ///< "" for ok and unchecked
  std::vector<std::string> notes;  ///< worth knowing, and no reason against the task
};

enum class BaselineKind {
  eager,   ///< the one that speed-ups are over
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
  std::string description;  ///< "eager LibTorch 2.11.0, 1 thread, float32"; why there is no time, if so
  Duration cold;            ///< a median of 0: it was tried, and there is none
  Milliseconds measured_at = 0;
  // Of kind `compile`.
  std::string mode = {};  ///< of core's CompileMode
  double eager = 0;       ///< seconds: the eager baseline's median in the very evaluation
};

struct DeviceRecord {
  std::string name;  ///< as in Verdict::device
  Ceilings ceilings;
  Milliseconds seen_at = 0;
};

/// One step of a trajectory in brief: from columns kept for SQL, no text and no verdict is read.
struct AttemptBrief {
  Id trajectory = 0;
  int step = 0;
  int slot = 0;
  int round = 0;
  bool critic = false;
  AnswerStatus answer = AnswerStatus::model_failed;
  std::optional<EvaluationStatus> evaluation;  ///< none: nothing to evaluate, or not yet
  bool judged = false;             ///< as Verdict::judged: otherwise the machine failed, and nothing is known
  bool correct = false;            ///< and no cheat
  double speedup = 0;              ///< 0 unless correct and timed
  std::optional<Stage> failed_at;  ///< the first stage before profile that did not pass
  Reason reason = Reason::none;    ///< of that stage
  Milliseconds ended_at = 0;       ///< of its last result
};

/// What was spent. Calls that reached no model (budget refusals, missing recordings) are not counted.
struct Totals {
  std::int64_t calls = 0;  ///< critics counted
  std::int64_t failed_attempts = 0;
  TokenUsage tokens;  ///< of answers and, as far as reported, of failed attempts
  double usd = 0;     ///< likewise
  Expense unsettled;  ///< at most what failed attempts may have cost beyond
  std::int64_t evaluations = 0;
  double llm_seconds = 0;
  double evaluation_seconds = 0;
  double wall_seconds = 0;  ///< of a campaign's runs together; 0 for a trajectory
};

}  // namespace ridgeline::store
