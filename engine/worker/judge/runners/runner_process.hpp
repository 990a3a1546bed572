// One runner as the judge sees it: started, told what to do, timed from outside, ended with all it started.
//
// Every call returns a Reply (a claim) or, once the runner is over, how it ended; no call waits longer than
// its limit. One thread, the one that started it (sandbox/process.hpp).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/core/file_descriptor.hpp"
#include "engine/core/task.hpp"
#include "engine/worker/judge/arenas/arena.hpp"
#include "engine/worker/judge/arenas/memory_file.hpp"
#include "engine/worker/judge/sampling/batch_evidence.hpp"
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

struct RunnerSettings {
  std::filesystem::path program;  ///< of ridgeline-runner
  std::filesystem::path
      scratch_parent;  ///< each runner sees a folder of its own below it, and reads its library there
  sandbox::Isolation level = sandbox::Isolation::strict;
  std::optional<int> cuda_device;  ///< the runner holds a context on it
  std::optional<std::filesystem::path>
      cupti;  ///< calls can be counted (runner/counting.hpp), by this library
  std::uint64_t data_limit = std::uint64_t{4} << 30;      ///< the candidate's own memory, bytes; 0: unlimited
  std::uint64_t resident_limit = std::uint64_t{6} << 30;  ///< beside the argument buffers
  std::optional<PythonProgram>
      python;  ///< in place of `program`: candidates are jobs (protocol/torch_job.hpp)
  /// An interpreter that may start compilers, so nothing is locked: for a task's own module alone.
  bool compiles = false;
};

/// How a runner ended, and what it told of itself before.
struct RunnerExit {
  enum class Cause {
    ended,           ///< see `outcome`
    hung,            ///< no reply within the limit; killed
    closed_channel,  ///< alive and silent for good; killed
    forged           ///< it spoke when nobody asked, or not in our words; killed
  } cause = Cause::ended;
  sandbox::Outcome outcome;
  std::optional<runner::Reply> fault;  ///< a claim: where a signal struck
};

using RunnerAnswer = std::variant<runner::Reply, RunnerExit>;

struct BatchAnswer {
  RunnerAnswer answer;
  BatchTimes times;  ///< meaningful with a Reply
};

/// Calls that go round over the arranged slots; `call` then counts calls.
struct Rounds {
  std::size_t calls = 0;   ///< to come; 0: one a slot
  std::size_t replay = 0;  ///< K, where batches of K and of 2K are to be replayed as graphs (wire.hpp)
};

class RunnerProcess {
 public:
  /// Spawns and waits until it is up. Throws MachineCannot if it does not come up.
  explicit RunnerProcess(const RunnerSettings& settings);
  /// Spawns only, so that several can start at once: `await_ready` of each, then `measure_overhead` of each,
  /// must come before anything else.
  struct Starting {};
  RunnerProcess(const RunnerSettings& settings, Starting);
  // An interpreter for a GPU imports torch, which nobody there notices, and then waits at a gate ahead of the
  // device.

  /// Whether it stands there; a look, but for the end of one that is dying.
  bool at_barrier();
  /// Lets it open the device; waits for it to come to the gate, a minute at most. Nothing where there is
  /// none.
  void open_barrier();
  /// Whether it uses the device already, or is about to.
  bool past_barrier() const { return barrier_ == Barrier::none || barrier_ == Barrier::open; }
  /// Throws MachineCannot if it does not come up. Opens the gate.
  void await_ready();
  /// Beside nothing that competes with it.
  void measure_overhead();
  ~RunnerProcess();
  RunnerProcess(const RunnerProcess&) = delete;  // others hold its address
  RunnerProcess& operator=(const RunnerProcess&) = delete;

  /// Upper bounds of what an empty batch takes; measured while the runner is still only ours.
  const Overhead& trusted_overhead() const { return overhead_; }

  /// Of a library; of a job file where the runner is an interpreter. `weights`: bytes of its task's, of which
  /// a constructor may have two copies resident beside the limit on that, and one is left after; at most half
  /// of the machine's memory. (On a CPU the limit on its data binds first.)
  RunnerAnswer load(const std::filesystem::path& candidate, double limit, std::uint64_t weights = 0);
  /// Of an arena that is mapped already nothing is mapped anew; else all else is unmapped.
  RunnerAnswer map(const Arena& arena, double limit);
  /// Maps them beside one another, as many as a runner holds; the last is used, each other once it is mapped
  /// again. Mapping waits for whoever holds the device's driver, so this is for when nobody does.
  RunnerAnswer map_all(const std::vector<const Arena*>& arenas, double limit);
  /// Unmaps what is mapped, and lets an interpreter give back what it keeps for later: until it is mapped
  /// anew.
  RunnerAnswer rest(double limit);
  /// Tells pointers, sizes and scalars of the first `slots` slots. To be said again after each shift, and
  /// before the slots are filled: the candidate's workspace function runs in here.
  RunnerAnswer arrange(const Arena& arena, std::size_t slots, const Task& task, const Case& one, double limit,
                       const Rounds& rounds = {});
  BatchAnswer call(std::size_t first, std::size_t count, double limit);
  /// Calls one slot; the reply's text names the operators of torch by which it computed (wire.hpp).
  RunnerAnswer observe(std::size_t slot, double limit);

  /// Before `load`: what `sheet` asks for can then be counted as set `set`; it must live as long.
  RunnerAnswer profile(std::uint32_t set, const MemoryFile& sheet, double limit);
  /// As `call`, counted: all or a part of a pass of `set`; `how` has the bits of Count (wire.hpp).
  RunnerAnswer count(std::uint32_t set, std::size_t first, std::size_t count, std::uint32_t how,
                     double limit);
  /// Opens the first pass, in two halves: it takes a fifth of a second, and something else may be done
  /// meanwhile.
  void begin_opening(std::uint32_t set);
  RunnerAnswer await_opening(double limit);
  /// After the last pass: what was counted, onto the sheet.
  RunnerAnswer report(std::uint32_t set, double limit);

  /// Stops it for as long as something else is measured: it can then not compete for caches and cores.
  class Pause {
   public:
    explicit Pause(const RunnerProcess& runner) : Pause(runner.pid()) {}
    explicit Pause(pid_t process);
    Pause(const Pause&) = delete;  // it must end once
    Pause& operator=(const Pause&) = delete;
    ~Pause();
    /// Whether it computed for all that: a process can have itself woken.
    bool ran() const;

   private:
    pid_t pid_;
    double cpu_ = 0;  // seconds used when it was stopped
  };

  /// Whether it still waits for orders; a look at the channel.
  bool alive() const;
  pid_t pid() const;
  /// Ends it; idempotent.
  RunnerExit finish();
  /// The bases that it claimed for its mappings, to name the buffer near a fault.
  const runner::Reply& mapping() const { return mapping_; }
  /// Whether it is a Python with torch, whose refusals are exceptions.
  bool interpreter() const { return interpreter_; }

 private:
  RunnerAnswer ask(void* message, std::size_t bytes, std::span<const int> descriptors, double limit);
  /// False: it is over.
  bool tell(void* message, std::size_t bytes, std::span<const int> descriptors);
  RunnerAnswer await_reply(std::uint32_t sequence, double limit);
  std::optional<runner::Reply> receive();
  void reach_barrier();
  void grant(std::uint64_t mapped);
  RunnerAnswer map_at(std::size_t place, runner::Mapped how, const Arena& arena, double limit);
  RunnerExit end(RunnerExit::Cause cause);
  RunnerAnswer go(std::size_t first, std::size_t count, double limit);
  double cpu_now() const;

  enum class Barrier { none, ahead, reached, open };

  std::filesystem::path scratch_folder_;
  Barrier barrier_ = Barrier::none;
  bool interpreter_;
  bool shares_device_;  // with the judge; replies are then waited for awake
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
