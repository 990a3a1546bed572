// What kernels this process launches: name, grid, block, registers, shared memory, as the driver is told. One
// object a process, since CUPTI takes one subscriber. Launches may come from any thread; everything else is
// one thread's.
#pragma once

#include <cuda.h>

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "engine/cuda/cupti.hpp"

namespace ridgeline::cuda {

struct Launch {
  std::string kernel;  ///< mangled; "" of a graph, whose kernels are not seen
  std::array<unsigned, 3> grid{}, block{};
  unsigned dynamic_shared = 0;  ///< bytes a block
  int registers = 0;            ///< a thread
  int static_shared = 0;        ///< bytes a block
  int local = 0;                ///< bytes a thread: stack and spills
  bool graph = false;
};

/// Told of launches as they are made, on the thread that makes them.
class LaunchWatcher {
 public:
  virtual ~LaunchWatcher() = default;
  /// `number`: of the launches since `start`.
  virtual void launches(std::size_t number) = 0;
  virtual void launched() = 0;
};

class LaunchLog {
 public:
  /// Throws CuptiRefused where somebody else subscribed. `cupti` must live as long.
  explicit LaunchLog(const Cupti& cupti);
  LaunchLog(const LaunchLog&) = delete;  // CUPTI holds its address
  LaunchLog& operator=(const LaunchLog&) = delete;
  ~LaunchLog();

  /// Forgets what was; of launches to come it keeps `most` and counts the others.
  void start(std::size_t most);
  /// Launches are noted while there is a watcher (null: none), who is told of each that is kept.
  void watch(LaunchWatcher* watcher);
  /// Launches since `start`; asks the driver what their kernels use.
  std::vector<Launch> stop();
  std::size_t count() const;  ///< of all launches, kept or not

  /// Whether what is called from `begin_survey` to here launched one kernel and had the device do nothing
  /// else: no copy, no filling of memory, no graph.
  void begin_survey();
  bool end_survey();

 private:
  struct State;
  void enable_launches();
  const Cupti& cupti_;
  std::unique_ptr<State> state_;
};

}  // namespace ridgeline::cuda
