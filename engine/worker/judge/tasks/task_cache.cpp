#include "engine/worker/judge/tasks/task_cache.hpp"

#include <sys/random.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/error.hpp"

namespace ridgeline::judge {

std::uint64_t secret_seed() {
  std::uint64_t seed = 0;
  if (::getrandom(&seed, sizeof seed, 0) != sizeof seed)
    throw MachineCannot(std::string("getrandom: ") + std::strerror(errno));
  return seed;
}

PreparedTask& TaskCache::get(const Task& task) {
  // Computed here: the hash in a message is its sender's claim, and two tasks must never share expected
  // outputs.
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

/// Keeps a reference runner for the current task alone, and no other task at all beside one that needs
/// streaming.
void TaskCache::leave_room() {
  if (kept_.front()->needs_streaming()) kept_.resize(1);
  for (auto at = kept_.begin(); at != kept_.end(); ++at)
    if (at != kept_.begin()) (*at)->reference_runner().dropped_to_make_room();
}

/// Always leaves the task used last, which the next candidate most likely needs.
void TaskCache::trim() {
  if (kept_.empty()) return;
  std::size_t sum = 0;
  for (const auto& one : kept_) sum += one->bytes();
  sum = drop_slots(sum);
  while (sum > most_bytes_ && kept_.size() > 1) {
    sum -= kept_.back()->bytes();
    kept_.pop_back();
  }
}

/// Which tasks lose their slots is random. Tasks often come in turn, and then the longest unused is the next
/// to be used: each would find its own slots gone.
std::size_t TaskCache::drop_slots(std::size_t sum) {
  std::vector<PreparedTask*> others;
  for (auto at = std::next(kept_.begin()); at != kept_.end(); ++at) others.push_back(at->get());
  while (sum > most_bytes_ && !others.empty()) {
    std::swap(others[random_.below(others.size())], others.back());
    auto& one = *others.back();
    others.pop_back();
    sum -= one.bytes();
    one.drop_slots();
    sum += one.bytes();
  }
  return sum;
}

}  // namespace ridgeline::judge
