// One runner as the judge sees it: started, given orders, timed from outside, ended with all that it started.
//
// Every order returns a Reply, a claim of a process that holds a candidate, whose `answer` says whether the
// order succeeded (wire.hpp); or, once the runner has ended, how it ended. An order throws only if the judge
// cannot give it: BadInput for a task that no order has room for, MachineCannot or Error for files and slots.
// A reply is awaited for the order's limit, in seconds (runner_limits.hpp); `map_all` waits up to the
// limit for each arena in turn. `call` stops the process twice, and once a candidate is loaded every order
// stops it after its reply (but not that of a runner that `compiles`); each stop is awaited for 5 s more. One
// thread, the one that started the runner (sandbox/process.hpp); but `stop` may run on another once nobody
// else uses the runner.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "engine/core/file_descriptor.hpp"
#include "engine/core/task.hpp"
#include "engine/worker/judge/arenas/arena.hpp"
#include "engine/worker/judge/arenas/memory_file.hpp"
#include "engine/worker/judge/runners/key_server.hpp"
#include "engine/worker/judge/runners/pooled_runner.hpp"
#include "engine/worker/judge/sampling/batch_evidence.hpp"
#include "engine/worker/judge/sampling/sealed_timing.hpp"
#include "engine/worker/runner/wire.hpp"
#include "engine/worker/sandbox/process.hpp"

namespace ridgeline::judge {

/// An interpreter with torch, and what it needs to be a runner (languages/python_toolchain.hpp finds them).
struct PythonProgram {
  std::filesystem::path program;               ///< of the interpreter
  std::filesystem::path library;               ///< libridgeline-python-runner.so
  std::vector<std::filesystem::path> folders;  ///< that it must read: its own, and those of its packages
  std::string torch_version;
};

/// What runners on a device need to open sealed inputs. All of them share the memory.
struct SealingMeans {
  std::vector<char> cubin;  ///< of cuda::compile_sealing
  int memory = -1;          ///< descriptor of an allocation of the device; its owner's
  std::uint64_t memory_bytes = 0;
  std::uint64_t evicted_bytes = 0;  ///< of it, which are read to empty the L2
};

struct RunnerSettings {
  std::filesystem::path program;  ///< of ridgeline-runner
  /// Each runner gets a scratch folder of its own below this folder, and reads its library there.
  std::filesystem::path scratch_parent;
  sandbox::Isolation level = sandbox::Isolation::strict;
  std::optional<int> cuda_device;  ///< the runner holds a context on it
  std::string card;                ///< that device's node, the only GPU's that it may open; "": any
  std::string visible_gpu;         ///< the only GPU that CUDA lists there ("GPU-…"); "": as in this process
  /// The library by which calls are counted (runner/counting.hpp); empty: they are not.
  std::optional<std::filesystem::path> cupti;
  std::uint64_t data_limit = std::uint64_t{4} << 30;      ///< the candidate's own memory, bytes; 0: unlimited
  std::uint64_t resident_limit = std::uint64_t{6} << 30;  ///< bytes, beside the argument buffers
  /// The interpreter that runs in place of `program`; candidates are then jobs (protocol/torch_job.hpp).
  std::optional<PythonProgram> python;
  /// The interpreter may start compilers, so nothing is locked. Only for a task's own module.
  bool compiles = false;
  /// Has the judge's own context occupy the device, as filling slots does, and waits for it. Called before
  /// each empty batch that is timed, so that the overhead holds the change of contexts; empty without a
  /// device.
  std::function<void()> occupy_device;
  std::shared_ptr<const SealingMeans> sealing;  ///< null: inputs are never sealed
};

/// How a runner ended: the exit of its process, and who or what ended it.
struct RunnerExit {
  enum class Cause {
    ended,           ///< by itself, by a limit, or by `finish`: see `outcome`
    hung,            ///< no reply within the limit, though it had memory left; killed
    closed_channel,  ///< alive, but it closed its channel to the judge; killed
    forged,          ///< it wrote to the channel unasked, or no message of ours; killed
    unconfined,      ///< it says that its candidate is loaded, and its second lockdown is not there; killed
    not_stopped      ///< a thread of it still ran 5 s after the judge had stopped it (SIGSTOP); killed
  } cause = Cause::ended;
  sandbox::ConfinedExit outcome;
  std::optional<runner::Reply> fault;  ///< where a signal struck, as the process claimed before it ended
};

using RunnerAnswer = std::variant<runner::Reply, RunnerExit>;

/// Whether the runner did as it was asked: it neither refused nor ended.
inline bool is_ok(const RunnerAnswer& answer) {
  const auto* reply = std::get_if<runner::Reply>(&answer);
  return reply && reply->answer == runner::Answer::ok;
}

/// A batch with sealed inputs.
struct SealedBatchAnswer {
  RunnerAnswer answer;
  double wall = 0;                          ///< the judge's window, seconds
  std::vector<cuda::OutputDigest> digests;  ///< of each call, as the runner gave them
};

struct BatchAnswer {
  RunnerAnswer answer;
  BatchTimes times;  ///< meaningful with a Reply
};

/// Calls that go round over the arranged slots: call i is of slot i % slots, and `call` then counts calls.
struct Rounds {
  std::size_t calls = 0;  ///< in all; 0: one a slot
  /// If K > 0, the runner also records graphs of K and of 2K calls. Both begin at call 0, whatever `first` of
  /// `call` is. At least 2K calls must be arranged. If the reply `ok` has a text, it says why there are no
  /// graphs.
  std::size_t replay = 0;
};

class RunnerProcess final : public PooledRunner {
 public:
  /// Starts the process, waits until it says that it has started, and measures the overhead. Throws
  /// MachineCannot if it never says so or answers no empty batch, or BadInput if a program that `settings`
  /// names is not there.
  explicit RunnerProcess(const RunnerSettings& settings);
  /// Starts the process only, so that several can start at once. `await_ready` of each and then
  /// `measure_overhead` of each must come before any order.
  struct Starting {};
  RunnerProcess(const RunnerSettings& settings, Starting);
  /// Ends the process as `finish` does, and deletes its scratch folder.
  ~RunnerProcess() override;
  RunnerProcess(const RunnerProcess&) = delete;  // others hold its address
  RunnerProcess& operator=(const RunnerProcess&) = delete;

  // PooledRunner: see there.
  bool interpreter() const override { return interpreter_; }
  bool at_barrier() override;
  bool past_barrier() const override { return barrier_ == Barrier::none || barrier_ == Barrier::open; }
  void open_barrier() override;
  void await_ready() override;
  void measure_overhead() override;
  bool alive() const override;
  std::shared_ptr<void> pause() override { return std::make_shared<Pause>(*this); }
  void stop() override { finish(); }

  /// Returns the upper quartiles of what empty batches took before a candidate was loaded.
  const Overhead& trusted_overhead() const { return overhead_; }
  /// What batches with sealed inputs take beside their calls; empty if it cannot open sealed inputs.
  const std::optional<CostsOfSealing>& sealed_costs() const { return sealed_costs_; }
  /// Why it cannot; "" if it can, or if nobody wants it to.
  const std::string& why_not_sealed() const { return why_not_sealed_; }
  /// Whether it computes on a device that the judge uses too.
  bool shares_device() const { return shares_device_; }

  /// Loads the candidate: a library, or a job file where the runner is an interpreter. `weights`: bytes of
  /// its task's weights, which count for an interpreter alone. A constructor may hold two copies of them
  /// beside the resident limit, and one is left after; the two count up to half of the machine's memory. (On
  /// a CPU the limit on data binds first.)
  RunnerAnswer load(const std::filesystem::path& candidate, double limit, std::uint64_t weights = 0);
  /// Maps `arena`. If it is mapped already, nothing is mapped; otherwise every other arena is unmapped.
  RunnerAnswer map(const Arena& arena, double limit);
  /// Maps the arenas beside one another, as many as a runner can hold. The last is used; each other arena is
  /// used once it is mapped again. Mapping waits for whoever holds the device's driver, so map ahead of
  /// timing.
  RunnerAnswer map_all(const std::vector<const Arena*>& arenas, double limit);
  /// Unmaps all arenas. An interpreter also gives back the memory that it keeps for later.
  RunnerAnswer release_memory(double limit);
  /// Passes pointers, sizes and scalars of the first `slots` slots. Repeat after each shift of the slots, and
  /// before they are filled: the candidate's workspace function runs in here. `arena` must be the arena in
  /// use, which is the one that was mapped last.
  RunnerAnswer arrange(const Arena& arena, std::size_t slots, const Task& task, const Case& one, double limit,
                       const Rounds& rounds = {});
  /// Calls `count` slots from `first` on as one batch, and times it from outside. The process is stopped
  /// before and after, so nothing of it runs between two windows. On a CPU the window opens just before it is
  /// continued; on a device already before its CPU time is read, so that work left there falls inside.
  BatchAnswer call(std::size_t first, std::size_t count, double limit,
                   runner::CallOrder order = runner::CallOrder::queued);
  /// Calls the first slots, whose inputs are sealed under the keys of `batch`, as one batch. Only with
  /// sealed_costs(). Throws MachineCannot if it got no key in time because this process was kept from giving
  /// it.
  SealedBatchAnswer call_sealed(const SealedBatch& batch, double limit);
  /// Calls one slot. The reply's text names the operators of torch by which it computed (wire.hpp).
  RunnerAnswer observe(std::size_t slot, double limit);

  /// Prepares the counters that `sheet` asks for as set `set`. Comes before `load`; the sheet must outlive
  /// the runner.
  RunnerAnswer profile(std::uint32_t set, const MemoryFile& sheet, double limit);
  /// Calls slots as `call` does, within all or a part of a counted pass of `set`, or beside the passes.
  /// `how`: bits of runner::Count (wire.hpp).
  RunnerAnswer count(std::uint32_t set, std::size_t first, std::size_t count, std::uint32_t how,
                     double limit);
  /// Begins to open the first counted pass, which takes a quarter to half a second. Give no order to this
  /// runner before `await_opening`: it would take the reply for a forgery.
  void begin_opening(std::uint32_t set);
  RunnerAnswer await_opening(double limit);
  /// Writes what was counted onto the sheet. Comes after the last pass; only spans can be recorded after it.
  RunnerAnswer report(std::uint32_t set, double limit);

  /// Stops the runner while something else is measured, so that it does not compete for caches and cores.
  /// Waits at most 0.1 s for the stop; `ran` says whether the process computed all the same. Give it no order
  /// meanwhile, and end the pause before the process.
  class Pause {
   public:
    explicit Pause(const RunnerProcess& runner) : Pause(runner.pid()) {}
    explicit Pause(pid_t process);
    Pause(const Pause&) = delete;  // it must end once
    Pause& operator=(const Pause&) = delete;
    ~Pause();
    /// Whether the process used more than 5 ms of CPU time since the stop: it can have itself woken.
    bool ran() const;

   private:
    pid_t pid_;
    bool was_stopped_ = false;  // by others, who will continue it
    double cpu_ = 0;            // seconds used when it was stopped
  };

  pid_t pid() const;
  /// Ends the process with all that it started, unless it has ended. Returns how it ended.
  RunnerExit finish();
  /// The bases that it claimed for its mappings, to name the buffer near a fault.
  const runner::Reply& mapping() const { return mapping_; }

 private:
  /// For the message of a runner that failed before it had a candidate.
  std::string why_it_ended() const;
  RunnerAnswer ask(void* message, std::size_t bytes, std::span<const int> descriptors, double limit);
  /// Stops all threads of the process; ends a process that does not stop. No-op if it is stopped.
  void stop_process();
  /// Lets all threads go on. No-op unless they are stopped.
  void continue_process();
  /// The answer to the last order, unless the process had to be ended since.
  RunnerAnswer stopped_after(RunnerAnswer answer);
  /// False: the runner has ended.
  bool send(void* message, std::size_t bytes, std::span<const int> descriptors);
  RunnerAnswer await_reply(std::uint32_t sequence, double limit);
  std::optional<runner::Reply> receive();
  void reach_barrier();
  void grant(std::uint64_t mapped);
  RunnerAnswer map_at(std::size_t place, runner::Mapped how, const Arena& arena, double limit);
  RunnerExit end(RunnerExit::Cause cause);
  /// Whether both lockdowns of a library's runner are in force, counted from outside: a constructor may have
  /// answered in the runner's place, and serve the judge with what was allowed while it was loaded.
  bool confined() const;
  RunnerAnswer go(std::size_t first, std::size_t count, double limit, runner::CallOrder order);
  double cpu_now() const;
  void measure_sealed_costs();
  SealedCosts measure_sealed_costs(bool empties_cache);
  /// Returns the least seconds of some windows of `count` sealed calls of nothing. Throws MachineCannot if
  /// one fails: the runner is of no use then.
  double trial_window(std::size_t count, bool empties_cache);

  enum class Barrier { none, ahead, reached, open };

  std::filesystem::path scratch_folder_;
  Barrier barrier_ = Barrier::none;
  double data_limit_;  // bytes of its own memory; 0: unlimited
  bool interpreter_;
  bool locks_down_twice_;  // the second time after code of the candidate has run
  std::optional<unsigned> filters_at_start_;
  bool may_start_processes_;
  bool shares_device_;  // with the judge; replies are then waited for awake
  std::function<void()> occupy_device_;
  std::shared_ptr<const SealingMeans> sealing_;
  std::optional<MemoryFile> exchange_;  // a SealedExchange
  KeyServer* key_server_ = nullptr;     // of the sealed batch that is under way
  std::optional<CostsOfSealing> sealed_costs_;
  std::string why_not_sealed_;
  // Whether the process runs only while an order is under way, so that it can do nothing between them: from
  // its load on, unless it may start compilers.
  bool runs_for_orders_only_ = false;
  bool stopped_ = false;
  FileDescriptor channel_;
  std::optional<sandbox::Child> child_;
  std::optional<RunnerExit> ended_;
  std::optional<runner::Reply> fault_;
  runner::Reply mapping_;
  struct MappedArena {
    std::uint64_t number;  // its own
    std::uint64_t bytes;   // of the machine's own memory
  };
  std::vector<MappedArena> mapped_;                     // at each place
  std::uint64_t mapped_bytes_ = 0, weights_bytes_ = 0;  // of the machine's own memory
  std::unique_ptr<runner::Arrange> arrange_;
  std::uint32_t sequence_ = 0;
  double reply_seen_ = 0;  // wall clock at the last reply
  double cpu_checkpoint_ = 0;
  double pending_outside_ = 0;
  Overhead overhead_;
};

}  // namespace ridgeline::judge
