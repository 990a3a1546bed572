// Runners started ahead, so that their start is over when the next candidate needs them, and ended behind, so
// that nobody waits for their end.
//
// A start takes 0.2 s where there is a device to be opened, 3 s and more where there is torch to be imported,
// and an end 0.1 s. What opens or leaves the device disturbs what is timed there; imports do not, so
// interpreters are kept at the gate behind them (RunnerProcess::at_barrier). But they take cores, and an
// interpreter that is timed wants one for itself: then they are held. Nothing here waits but where it
// says so. One thread.
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <future>
#include <memory>
#include <optional>
#include <vector>

#include "engine/core/candidate.hpp"
#include "engine/worker/judge/runners/runner_process.hpp"

namespace ridgeline::judge {

inline constexpr const char* no_python =
    "no Python with torch on this machine: install torch, or let RIDGELINE_PYTHON name a Python that has it";

enum class RunnerKind {
  library,         ///< loads a shared library
  python,          ///< an interpreter with torch, loads a job (languages torch and triton)
  counting,        ///< loads a shared library; hardware counters of its calls can be read
  python_counting  ///< an interpreter whose calls can be counted
};
RunnerKind runner_kind(Language language);
/// The kind whose calls can be counted, for the same candidates.
RunnerKind counting_kind(RunnerKind kind);

class RunnerPool {
 public:
  /// `cupti`: by which library calls are counted; empty where they are not.
  RunnerPool(RunnerSettings library, std::optional<RunnerSettings> python,
             const std::optional<std::filesystem::path>& cupti);

  /// One that is up; waits for it. Throws MachineCannot: it cannot be started, or there is no such
  /// interpreter.
  std::unique_ptr<RunnerProcess> take(RunnerKind kind);
  /// Begins to start as many of a kind as are kept ahead, and `count` at least; lets `count` in all open the
  /// device, as far as they have come to its gate. Throws as `take`.
  void start(RunnerKind kind, std::size_t count = 1);
  /// So many of that kind will be taken: begins to start them. Throws as `take`.
  void expect(RunnerKind kind, std::size_t count = 1);
  /// Whether one could be had without an import being waited for; it is the next then.
  bool at_hand(RunnerKind kind);
  /// Begins to start what the candidates of late took.
  void start_ahead();
  /// It is done with, and ends when `begin_ends` or one of the next two is called.
  void retire(std::unique_ptr<RunnerProcess> runner);
  /// Begins to end what was retired, with all that it started.
  void begin_ends();

  /// Whether something of what was retired may still be there.
  bool ending() const { return !retired_.empty() || !ends_.empty(); }
  /// Whether something may still start or end.
  bool busy() const;
  /// Whether an interpreter opens the device, and computes something there for the first time.
  bool opening() const;
  /// Waits until nothing that was retired is left.
  void await_ends();
  /// Waits until nothing starts or ends any more but ahead of a gate.
  void settle();

  /// Stops those that import ahead of a gate until what is returned goes, which the pool must outlive.
  std::vector<std::unique_ptr<RunnerProcess::Pause>> pause_importing_runners();

  /// Throws MachineCannot where there is no interpreter, or nothing to count with.
  const RunnerSettings& settings(RunnerKind kind) const;

 private:
  struct Waiting {
    std::unique_ptr<RunnerProcess> runner;
    bool ready = false;  ///< it has said so
    bool up = false;     ///< and its overhead is measured
  };
  struct Kind {
    std::optional<RunnerSettings> settings;
    bool wanted = false;  ///< by the candidates of late
    std::size_t ahead = 1;
    std::deque<Waiting> waiting = {};
  };
  Kind& of(RunnerKind kind) { return kinds_[static_cast<std::size_t>(kind)]; }
  /// False: it did not start. One that is only kept ahead may have found no room, or been in the way of what
  /// filled it.
  static bool await_ready(Waiting& one);
  static bool bring_up(Waiting& one);
  /// Waits until no interpreter opens the device, whose first kernels would disturb.
  void await_opened();

  std::array<Kind, 4> kinds_;  // of each RunnerKind
  std::vector<std::unique_ptr<RunnerProcess>> retired_;
  std::vector<std::future<void>> ends_;
};

}  // namespace ridgeline::judge
