// Starts runners before they are needed and ends them in the background, so that requests seldom wait for
// either.
//
// The schedule (schedule/judge_schedule.hpp) decides when; the pool decides which runner. A runner that opens
// the device or leaves it disturbs what is timed there; an import of torch does not. So an interpreter for a
// device first imports torch and then stops at the device-open barrier until it is let through
// (pooled_runner.hpp). An import takes cores, though, so it is paused while something is timed that needs a
// core for itself (pause_importing_runners).
//
// A function returns at once unless its comment says that it waits. One thread uses the pool; runners end on
// threads of the pool's own.
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

  /// Begins to start runners of `kind` until the pool holds `keep` of them. Then lets runners that stand at
  /// the barrier open the device, until `open` of those that the pool holds of the kind are past it; a runner
  /// that still imports is not let through, one that was handed out is not counted. Throws MachineCannot.
  void start(RunnerKind kind, std::size_t keep, std::size_t open);
  /// Hands out a runner that has started and whose time of an empty batch was measured. Waits for a runner
  /// that is being started; if there is none, starts one and waits for it. Waits before that until no
  /// interpreter opens the device, if this kind opens it too. Retires runners that died while they waited.
  /// Throws MachineCannot if none can be started and measured.
  std::unique_ptr<PooledRunner> take(RunnerKind kind);
  /// Puts a runner of `kind` that has finished its imports first, so that `take` hands it out next. Returns
  /// false if there is none: `take` would wait for a start or an import.
  bool find_at_hand(RunnerKind kind);

  /// Takes back a runner that is not used any more; it runs on until `end_retired`. Null is ignored.
  void retire(std::unique_ptr<PooledRunner> runner);
  /// Begins to end retired runners, each with all that it started.
  void end_retired();
  /// Ends retired runners and waits until none is left.
  void wait_for_retired();
  /// Waits until no runner starts or ends. Does not wait for runners that have not passed the barrier. Drops
  /// runners that do not start or cannot be measured: there may have been no room for them, and `take` starts
  /// others.
  void wait_for_background_work();

  RunnersNow now() const;
  /// Stops the processes of runners that import, until the result is destroyed. The pool must outlive the
  /// result, and no other function of the pool may be called before that.
  std::vector<std::shared_ptr<void>> pause_importing_runners();

 private:
  struct Waiting {
    std::unique_ptr<PooledRunner> runner;
    bool ready = false;     ///< it has said that it has started
    bool measured = false;  ///< the time of an empty batch was measured too: it may be handed out

    /// Whether it uses the device and is not ready. An interpreter launches its first kernels at this time.
    bool opens_device() const { return runner->interpreter() && runner->past_barrier() && !ready; }
  };
  std::deque<Waiting>& waiting(RunnerKind kind) { return waiting_[static_cast<std::size_t>(kind)]; }
  static bool await_ready(Waiting& one);
  /// Waits until the runner is ready and measures it. Returns false if either fails.
  static bool make_ready_and_measure(Waiting& one);
  void wait_until_none_opens_device();

  RunnerFactory& factory_;
  std::function<void(RunnerKind)> taken_;
  std::array<std::deque<Waiting>, kRunnerKinds> waiting_;  // of each RunnerKind; the front is taken first
  std::vector<std::unique_ptr<PooledRunner>> retired_;
  std::vector<std::future<void>> ends_;
};

/// `take` for a pool whose factory is a RunnerProcessFactory.
std::unique_ptr<RunnerProcess> take_process(RunnerPool& pool, RunnerKind kind);

}  // namespace ridgeline::judge
