#include "engine/worker/judge/tasks/task_cache.hpp"

#include <sys/random.h>

#include <cerrno>
#include <cstring>
#include <string>

#include "engine/core/error.hpp"

namespace ridgeline::judge {

std::uint64_t secret_seed() {
  std::uint64_t seed = 0;
  if (::getrandom(&seed, sizeof seed, 0) != sizeof seed)
    throw MachineCannot(std::string("getrandom: ") + std::strerror(errno));
  return seed;
}

PreparedTask& TaskCache::get(const Task& task) {
  // The hash in the message is a claim of its sender's; two tasks must never share expected outputs.
  const Hash hash = hash_of(task);
  for (auto at = kept_.begin(); at != kept_.end(); ++at) {
    if ((*at)->task().hash != hash) continue;
    kept_.splice(kept_.begin(), kept_, at);
    leave_room();
    return *kept_.front();
  }
  Task own = task;
  own.hash = hash;
  kept_.push_front(std::make_unique<PreparedTask>(std::move(own), secret_seed(), backend_));
  leave_room();
  return *kept_.front();
}

/// An interpreter with torch holds some hundred MB: only the task at hand keeps one. Beside a lean task there
/// is none other.
void TaskCache::leave_room() {
  if (kept_.front()->lean()) kept_.resize(1);
  for (auto at = kept_.begin(); at != kept_.end(); ++at)
    if (at != kept_.begin()) (*at)->reference_runner.reset();
}

void TaskCache::trim() {
  if (kept_.empty()) return;
  std::size_t sum = 0;
  for (const auto& one : kept_) sum += one->bytes();
  const auto oldest_first = [&](auto&& drop) {
    for (auto at = kept_.end(); sum > most_bytes_ && at != std::next(kept_.begin());) {
      sum -= (*--at)->bytes();
      at = drop(at);
    }
  };
  oldest_first([&](auto at) {
    (*at)->drop_slots();
    sum += (*at)->bytes();
    return at;
  });
  oldest_first([&](auto at) { return kept_.erase(at); });
}

}  // namespace ridgeline::judge
