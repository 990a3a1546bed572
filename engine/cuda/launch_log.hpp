// Records the kernels that this process launches, as the driver is told: name, grid, block, registers,
// shared memory. One object a process, since CUPTI accepts one subscriber. Launches may come from any
// thread; everything else belongs to one thread.
#pragma once

#include <cuda.h>

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "engine/cuda/cupti.hpp"

namespace ridgeline::cuda {

/// One recorded launch.
struct Launch {
  std::string kernel;  ///< mangled name; "" for a graph, whose kernels CUPTI does not show here
  std::array<unsigned, 3> grid{}, block{};
  unsigned dynamic_shared = 0;  ///< bytes a block
  int registers = 0;            ///< registers a thread
  int static_shared = 0;        ///< bytes a block
  int local = 0;                ///< bytes a thread: stack and spills
  bool graph = false;
};

/// Is called around each recorded launch, on the thread that makes it.
class LaunchWatcher {
 public:
  virtual ~LaunchWatcher() = default;
  /// Called before the launch; `number` counts launches since `start`, from 0.
  virtual void before_launch(std::size_t number) = 0;
  /// Called after the driver's call has returned.
  virtual void after_launch() = 0;
};

/// Subscribes to the driver's launch calls.
class LaunchLog {
 public:
  /// Subscribes. `cupti` must outlive the object. Throws CuptiRefused where somebody else has subscribed.
  explicit LaunchLog(const Cupti& cupti);
  LaunchLog(const LaunchLog&) = delete;  // CUPTI holds its address
  LaunchLog& operator=(const LaunchLog&) = delete;
  ~LaunchLog();

  /// Forgets earlier launches. Of the launches to come, the first `most` are kept and the others only
  /// counted.
  void start(std::size_t most);
  /// Records launches while `watcher` is not null, and calls it around each launch that is kept.
  void watch(LaunchWatcher* watcher);
  /// Returns the launches kept since `start`, with what the driver says their kernels use.
  std::vector<Launch> stop();
  std::size_t count() const;  ///< of all launches since `start`, kept or not

  /// Starts to observe every call of the driver.
  void begin_survey();
  /// Stops. Returns whether, since `begin_survey`, exactly one kernel was launched and the device was asked
  /// for nothing else: no copy, no memset, no graph.
  bool end_survey();
  /// Returns how many kernels and graphs were launched during the last survey.
  std::size_t surveyed() const;

 private:
  struct State;
  void enable_launches();
  const Cupti& cupti_;
  std::unique_ptr<State> state_;
};

}  // namespace ridgeline::cuda
