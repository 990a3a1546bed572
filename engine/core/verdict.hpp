// The verdict about one candidate: five stages, each with a status and a reason, and raw numbers. Plain data,
// which the judge fills, frames carry and the store keeps; times are in seconds.
//
// Stages run in order. The first that fails ends the evaluation, and the later ones stay `not_reached`: the
// first cause wins.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/hash.hpp"
#include "engine/core/kernel_launch.hpp"
#include "engine/core/kernel_resources.hpp"
#include "engine/core/mismatch.hpp"
#include "engine/core/names.hpp"
#include "engine/core/roofline.hpp"
#include "engine/core/timing.hpp"

namespace ridgeline {

enum class Stage { build, call, correctness, timing, profile };
constexpr auto enum_names(Stage) {
  return std::to_array<Name<Stage>>({{Stage::build, "build"},
                                     {Stage::call, "call"},
                                     {Stage::correctness, "correctness"},
                                     {Stage::timing, "timing"},
                                     {Stage::profile, "profile"}});
}

enum class Status {
  not_reached,
  passed,
  failed,      ///< the candidate's fault
  unavailable  ///< the machine's fault: counters refused, no compiler, a worker that was lost
};
constexpr auto enum_names(Status) {
  return std::to_array<Name<Status>>({{Status::not_reached, "not_reached"},
                                      {Status::passed, "passed"},
                                      {Status::failed, "failed"},
                                      {Status::unavailable, "unavailable"}});
}

enum class Reason {
  none,
  // build
  compile_error,
  build_timeout,
  build_limits,         ///< memory or output limit of the compiler's sandbox
  missing_entry_point,  ///< no kernel_<task>
  forbidden_flag,
  compiler_missing,
  // call: the candidate was loaded, or ran
  load_error,  ///< unresolved symbols, a static constructor that failed
  crashed,     ///< a signal other than those below
  timed_out,
  exited,  ///< the candidate ended its process
  memory_limit,
  sandbox_violation,  ///< a system call that a running kernel has no business with
  launch_error,       ///< CUDA
  raised,  ///< a module of torch: an exception, or something returned that the task does not ask for
  // correctness
  wrong_values,
  wrong_count,          ///< the written count of a data-dependent output
  out_of_bounds_write,  ///< a guard zone was touched
  input_modified,
  nondeterministic,  ///< where the task demands the same bits twice
  not_quantized,     ///< the unquantized computation where a quantized one was asked for
  lower_precision,   ///< error of the next lower precision where the contract forbids it
  falls_back,        ///< computes by a framework's operators where that is not wanted
  // timing
  wrong_when_timed,  ///< right when checked, wrong when timed
  timing_disputed,   ///< clocks disagree beyond the bound
  implausible,       ///< below the physics floor
  // profile
  counters_refused,
  // the machine
  judge_failed,
  worker_lost,
  task_rejected,  ///< the task itself is degenerate or does not run
  unsupported     ///< this worker has no such language or backend
};
constexpr auto enum_names(Reason) {
  return std::to_array<Name<Reason>>({{Reason::none, "none"},
                                      {Reason::compile_error, "compile_error"},
                                      {Reason::build_timeout, "build_timeout"},
                                      {Reason::build_limits, "build_limits"},
                                      {Reason::missing_entry_point, "missing_entry_point"},
                                      {Reason::forbidden_flag, "forbidden_flag"},
                                      {Reason::compiler_missing, "compiler_missing"},
                                      {Reason::load_error, "load_error"},
                                      {Reason::crashed, "crashed"},
                                      {Reason::timed_out, "timed_out"},
                                      {Reason::exited, "exited"},
                                      {Reason::memory_limit, "memory_limit"},
                                      {Reason::sandbox_violation, "sandbox_violation"},
                                      {Reason::launch_error, "launch_error"},
                                      {Reason::raised, "raised"},
                                      {Reason::wrong_values, "wrong_values"},
                                      {Reason::wrong_count, "wrong_count"},
                                      {Reason::out_of_bounds_write, "out_of_bounds_write"},
                                      {Reason::input_modified, "input_modified"},
                                      {Reason::nondeterministic, "nondeterministic"},
                                      {Reason::not_quantized, "not_quantized"},
                                      {Reason::lower_precision, "lower_precision"},
                                      {Reason::falls_back, "falls_back"},
                                      {Reason::wrong_when_timed, "wrong_when_timed"},
                                      {Reason::timing_disputed, "timing_disputed"},
                                      {Reason::implausible, "implausible"},
                                      {Reason::counters_refused, "counters_refused"},
                                      {Reason::judge_failed, "judge_failed"},
                                      {Reason::worker_lost, "worker_lost"},
                                      {Reason::task_rejected, "task_rejected"},
                                      {Reason::unsupported, "unsupported"}});
}

struct StageResult {
  Status status = Status::not_reached;
  Reason reason = Reason::none;
  std::string detail;  ///< one line for people: what, where, how to fix it
  double seconds = 0;  ///< spent in this stage
};

/// Facts about a call that failed, as far as the judge sees them from outside the candidate's process.
struct CallFailure {
  std::string case_name;
  bool hidden = false;
  InputSet input_set = InputSet::standard;
  int signal = 0;           ///< the signal that ended the process; 0 if none
  std::string signal_name;  ///< "SIGSEGV"
  std::string place;        ///< "kernel_softmax at line 14" or an offset, where it could be found
  std::string address;      ///< which buffer the faulting address lies in or behind, where known
  std::string output;       ///< what the candidate printed, cut
};

/// The isolation that was in force while the candidate ran.
struct Isolated {
  std::string level;    ///< "strict", "standard" or "none"
  std::string details;  ///< "user,pid,net,ipc,mount,uts namespaces; Landlock 7; seccomp"
};

/// Who held how much of a GPU's memory in a stage: bytes, each the most of its own, so that the three need
/// not add up to the most together.
struct StageMemory {
  Stage stage = Stage::call;
  double judge = 0;     ///< tensors, buffers and caches of the judge
  double oracle = 0;    ///< tensors of the process that runs the reference
  double runners = 0;   ///< all else: runners of candidates and baselines, and contexts
  double together = 0;  ///< the most of the three at one moment
};

struct Verdict {
  Hash task;
  Hash candidate;
  /// How the task was posed, if not as its file has it (task.hpp: posed_text).
  std::string posed;
  std::array<StageResult, 5> stages;  ///< indexed by Stage
  std::string build_log;              ///< the compiler's, bounded; prompts/ parses it
  std::vector<std::string> build_flags;
  std::string compiler;
  std::vector<KernelResources> resources;  ///< one for each of its GPU kernels
  std::optional<CallFailure> call_failure;
  std::vector<Mismatch> mismatches;  ///< first failing case first; several sets of that case at most
  std::vector<ErrorQuantiles> errors;
  std::vector<QuantizationDistance> quantization;
  std::vector<std::string> final_failures;  ///< names of failing `final` cases: reports only
  bool run_to_run_differences = false;
  std::optional<Timing> timing;
  std::vector<Roofline> rooflines;   ///< one for each timed case
  std::optional<Ceilings> ceilings;  ///< the ceilings of these rooflines; empty where there are no rooflines
  /// GPU kernels that counted calls launched, case after case, in their order.
  std::vector<KernelLaunch> launches;
  std::vector<std::string> flags;   ///< suspicions that do not fail: "operations over peak", …
  std::vector<std::string> notes;   ///< how it was measured, where that was not as usual; no suspicion
  std::vector<StageMemory> memory;  ///< of a GPU: stages in which the judge looked, in their order
  bool cheated = false;             ///< failed in a way that honest kernels do not
  bool faithful_correct = false;    ///< by the public suite's own rule
  Isolated isolation;
  std::string device;
  double seconds = 0;  ///< from the frame's arrival to the verdict

  const StageResult& at(Stage stage) const { return stages[static_cast<std::size_t>(stage)]; }
  StageResult& at(Stage stage) { return stages[static_cast<std::size_t>(stage)]; }

  bool compiled() const { return at(Stage::build).status == Status::passed; }
  /// Build, call and correctness passed, timing did not fail (it may be missing), no cheat was found.
  bool correct() const;
  /// Whether the candidate was judged: it is correct, cheated, or failed by its own fault. If the machine
  /// failed, whoever counts, scores or learns from verdicts leaves the candidate out.
  bool judged() const;
  /// Whether the candidate was judged and its score is known: a correct candidate has its time, unless none
  /// was asked for or the task times no case.
  bool scorable() const;
  /// Whether the same request, made again later or elsewhere, may give a score that this verdict lacks. False
  /// after task_rejected (every machine rejects it) and unsupported (this machine will never support it).
  bool retryable() const;
  /// The last stage that passed; nullopt if none.
  std::optional<Stage> reached() const;
  /// The first stage before profile that failed or was unavailable, else the first not reached, else nullopt.
  std::optional<Stage> failed_at() const;
  /// The geometric-mean speed-up; 0 unless correct and timed.
  double speedup() const;
  /// Returns why the figures deserve doubt: the flags, and a cheat or a time that was rejected. Empty if
  /// nothing speaks against them.
  std::vector<std::string> suspicions() const;
};

}  // namespace ridgeline
