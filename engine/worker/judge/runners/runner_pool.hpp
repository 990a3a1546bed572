// Runners that are started before they are needed and end after they are, so that nobody waits for either.
//
// The schedule (schedule/judge_schedule.hpp) says when; the pool knows which. A runner that opens the device
// or leaves it disturbs what is timed there; an import of torch does not. So interpreters for a device are
// kept at the device-open barrier behind their imports until they are let through (pooled_runner.hpp). An
// import takes cores, though, and what is timed with a core of its own pauses it.
//
// Only what says so waits. One thread; ends run on threads of the pool's own.
#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <vector>

#include "engine/worker/judge/runners/runner_factory.hpp"
#include "engine/worker/judge/schedule/runner_kind.hpp"
#include "engine/worker/judge/schedule/runners_now.hpp"

namespace ridgeline::judge {

class RunnerPool {
 public:
  /// `taken` is called with the kind of each runner that is about to be handed out. The factory must outlive
  /// the pool.
  explicit RunnerPool(RunnerFactory& factory, std::function<void(RunnerKind)> taken = nullptr);

  /// Begins to start runners of `kind` until `keep` of them wait, and lets `open` of these open the device as
  /// far as they have reached the barrier. Throws MachineCannot.
  void start(RunnerKind kind, std::size_t keep, std::size_t open);
  /// Hands out a runner that is up. Waits for a runner that is on its way, else starts one. Runners that died
  /// while they waited are passed over. Throws MachineCannot if none can be started.
  std::unique_ptr<PooledRunner> take(RunnerKind kind);
  /// Whether `take` would wait for no import; the runner found is then the next to be taken.
  bool find_at_hand(RunnerKind kind);

  /// The pool keeps the runner until it is ended. Null is ignored.
  void retire(std::unique_ptr<PooledRunner> runner);
  /// Begins to end retired runners, each with all that it started.
  void end_retired();
  /// Ends retired runners and waits until none is left.
  void wait_for_retired();
  /// Waits until no runner starts or ends, but for those ahead of the barrier. Runners that do not come up
  /// are dropped: there may have been no room for them, and `take` starts anew.
  void wait_for_background_work();

  RunnersNow now() const;
  /// Stops runners that import, until the result is destroyed. The pool must outlive it and be left alone.
  std::vector<std::shared_ptr<void>> pause_importing_runners();

 private:
  struct Waiting {
    std::unique_ptr<PooledRunner> runner;
    bool ready = false;     ///< it has said that it is up
    bool measured = false;  ///< and what an empty batch takes was measured

    /// Whether it uses the device already and is not yet up. The first kernels of an interpreter come then.
    bool opens_device() const { return runner->interpreter() && runner->past_barrier() && !ready; }
  };
  std::deque<Waiting>& waiting(RunnerKind kind) { return waiting_[static_cast<std::size_t>(kind)]; }
  static bool await_ready(Waiting& one);
  static bool bring_up(Waiting& one);
  void wait_until_none_opens_device();

  RunnerFactory& factory_;
  std::function<void(RunnerKind)> taken_;
  std::array<std::deque<Waiting>, kRunnerKinds> waiting_;  // of each RunnerKind; the front is taken first
  std::vector<std::unique_ptr<PooledRunner>> retired_;
  std::vector<std::future<void>> ends_;
};

/// A runner of a pool whose factory is a RunnerProcessFactory.
std::unique_ptr<RunnerProcess> take_process(RunnerPool& pool, RunnerKind kind);

}  // namespace ridgeline::judge
