// Prepared tasks by hash. When all together hold too much memory, slots of some go, and then the longest
// unused as a whole.
#pragma once

#include <cstddef>
#include <list>
#include <memory>

#include "engine/core/statistics.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"

namespace ridgeline::judge {

class TaskCache {
 public:
  TaskCache(std::size_t most_bytes, Backend& backend) : most_bytes_(most_bytes), backend_(backend) {}

  /// The prepared task; prepares it on first sight with a secret seed of its own. Throws BadInput.
  PreparedTask& get(const Task& task);
  /// Drops what is too much, never of the task used last: slots first, of tasks taken at random, which are
  /// soon made again; then whole tasks. Call between candidates.
  void trim();
  std::size_t size() const { return kept_.size(); }

 private:
  void leave_room();
  /// Of `sum` bytes that all hold, what is left.
  std::size_t drop_slots(std::size_t sum);

  std::size_t most_bytes_;
  Backend& backend_;
  std::list<std::unique_ptr<PreparedTask>> kept_;  // used last comes first
  Random random_{0};
};

/// 64 bits from the kernel's random source. Throws MachineCannot.
std::uint64_t secret_seed();

}  // namespace ridgeline::judge
