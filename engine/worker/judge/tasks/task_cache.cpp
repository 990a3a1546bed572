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

/// An interpreter with torch holds some hundred MB: only the task at hand keeps one. Beside a streaming task there
/// is none other.
void TaskCache::leave_room() {
  if (kept_.front()->needs_streaming()) kept_.resize(1);
  for (auto at = kept_.begin(); at != kept_.end(); ++at)
    if (at != kept_.begin()) (*at)->reference_runner.reset();
}

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

/// Tasks come in turn as often as not: then the one that was not used for longest is the next to be used, and
/// if its slots went, each would find its own gone.
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
