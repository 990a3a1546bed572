// Keeps prepared tasks by hash. If they hold too much memory together, it frees the slots of some, and then
// drops whole tasks, the longest unused first. One thread.
#pragma once

#include <cstddef>
#include <list>
#include <memory>

#include "engine/core/statistics.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"

namespace ridgeline::judge {

class TaskCache {
 public:
  /// `most_bytes`: what all tasks together may hold. `backend` must outlive it.
  TaskCache(std::size_t most_bytes, Backend& backend) : most_bytes_(most_bytes), backend_(backend) {}

  /// Returns the prepared task, owned by the cache; prepares it on first sight, with a secret seed of its
  /// own. References from before stay valid until `trim`, unless this task needs streaming. Throws BadInput.
  PreparedTask& get(const Task& task);
  /// Frees what is too much, but nothing of the task used last: first slots, of tasks at random, which are
  /// soon made again; then whole tasks. Call it between candidates.
  void trim();
  std::size_t size() const { return kept_.size(); }

 private:
  void leave_room();
  /// Frees slots until all tasks fit. `sum`: the bytes that all hold now. Returns what they hold then.
  std::size_t drop_slots(std::size_t sum);

  std::size_t most_bytes_;
  Backend& backend_;
  std::list<std::unique_ptr<PreparedTask>> kept_;  // used last comes first
  Random random_{0};
};

/// Returns 64 bits from the kernel's random source. Throws MachineCannot.
std::uint64_t secret_seed();

}  // namespace ridgeline::judge
