// A runner as its pool sees it: started, let past the device-open barrier, handed out, and ended.
#pragma once

#include <memory>

namespace ridgeline::judge {

/// Calls come in this order: `await_ready`, `measure_overhead`, whatever a candidate is asked, `stop`. One
/// thread, but that `stop` may run on another once the runner is nobody else's.
class PooledRunner {
 public:
  virtual ~PooledRunner() = default;

  /// Whether it is a Python with torch.
  virtual bool interpreter() const = 0;

  // An interpreter for a GPU imports torch, which nobody notices there, and then waits at the device-open
  // barrier.

  /// Whether it waits at the barrier. Does not wait, unless the runner is dying.
  virtual bool at_barrier() = 0;
  /// Whether it uses the device already, or is about to. True also where there is no barrier.
  virtual bool past_barrier() const = 0;
  /// Lets it open the device; waits until it has reached the barrier, for a minute at most. No-op where there
  /// is no barrier.
  virtual void open_barrier() = 0;

  /// Opens the barrier and waits until the runner says that it has started. Throws MachineCannot if it does
  /// not.
  virtual void await_ready() = 0;
  /// Measures what an empty batch takes. Nothing may compete with the runner meanwhile. Throws MachineCannot
  /// if none is answered.
  virtual void measure_overhead() = 0;
  /// After `await_ready`: whether it still waits for orders. (Before, it is false also for a runner that has
  /// said something which nobody has read.) Does not wait.
  virtual bool alive() const = 0;
  /// Stops its threads until the result is destroyed. Give it no order meanwhile. The runner must outlive the
  /// result.
  virtual std::shared_ptr<void> pause() = 0;
  /// Ends it with all that it started; idempotent.
  virtual void stop() = 0;
};

}  // namespace ridgeline::judge
