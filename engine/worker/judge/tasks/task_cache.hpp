// Keeps prepared tasks (prepared_task.hpp), so that each is compiled and its inputs are drawn once for many
// candidates. It bounds the memory that they hold together. One thread.
#pragma once

#include <cstddef>
#include <list>
#include <memory>

#include "engine/core/statistics.hpp"
#include "engine/worker/judge/tasks/prepared_task.hpp"

namespace ridgeline::judge {

class TaskCache {
 public:
  /// `most_bytes`: what all tasks together may hold after `trim`, in the device's memory or, on a CPU, in the
  /// host's. `backend` must outlive the cache.
  TaskCache(std::size_t most_bytes, Backend& backend) : most_bytes_(most_bytes), backend_(backend) {}

  /// Returns the prepared task, which the cache owns; prepares it on first sight, with a secret seed of its
  /// own. Two tasks are the same if the hash of their content (hash_of) is; `task.hash` is not trusted.
  ///
  /// Use only the reference returned last, and only until `trim`. Each call ends the reference runners of all
  /// other tasks. It drops these tasks altogether if a case of this one takes a large part of the memory
  /// (PreparedTask::needs_streaming). Throws BadInput as PreparedTask does.
  PreparedTask& get(const Task& task);
  /// Frees memory until the tasks hold at most `most_bytes`. It frees nothing of the task used last, which
  /// may hold more than that alone. It first frees the slots (buffers of timed calls) of tasks chosen at
  /// random, since making slots again costs little compared with preparing a task. It then drops whole tasks,
  /// the longest unused first. Call it between candidates.
  void trim();
  /// Returns how many tasks are kept.
  std::size_t size() const { return kept_.size(); }

 private:
  /// Ends the reference runners of all tasks but the first in `kept_`. Drops these tasks altogether if the
  /// first needs streaming.
  void leave_room();
  /// Frees slots of all tasks but the first until all fit, or until no slots are left. `sum`: the bytes that
  /// all tasks hold now. Returns the bytes that they hold afterwards.
  std::size_t drop_slots(std::size_t sum);

  std::size_t most_bytes_;
  Backend& backend_;
  std::list<std::unique_ptr<PreparedTask>> kept_;  // the task used last comes first
  Random random_{0};                               // chooses whose slots are freed
};

/// Returns 64 bits from the operating system's random source, as a seed that no candidate can guess. Throws
/// MachineCannot.
std::uint64_t secret_seed();

}  // namespace ridgeline::judge
