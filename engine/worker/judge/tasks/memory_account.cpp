#include "engine/worker/judge/tasks/memory_account.hpp"

#include <algorithm>

namespace ridgeline::judge {

void MemoryAccount::begin() {
  most_ = {};
  stage_ = Stage::call;
}

void MemoryAccount::saw(const MemoryLook& now) {
  auto& most = most_.at(static_cast<std::size_t>(stage_));
  most.stage = stage_;
  most.judge = std::max(most.judge, now.judge);
  most.oracle = std::max(most.oracle, now.oracle);
  most.runners = std::max(most.runners, now.runners);
  most.together = std::max(most.together, now.judge + now.oracle + now.runners);
}

std::vector<StageMemory> MemoryAccount::stages() const {
  std::vector<StageMemory> seen;
  for (const auto& most : most_)
    if (most.together > 0) seen.push_back(most);
  return seen;
}

}  // namespace ridgeline::judge
