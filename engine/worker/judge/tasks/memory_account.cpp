#include "engine/worker/judge/tasks/memory_account.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline::judge {

void MemoryAccount::begin() {
  most_ = {};
  stage_ = Stage::call;
}

void MemoryAccount::saw(const MemoryLook& now) {
  auto& most = most_.at(static_cast<std::size_t>(stage_));
  most.each.judge = std::max(most.each.judge, now.judge);
  most.each.oracle = std::max(most.each.oracle, now.oracle);
  most.each.runners = std::max(most.each.runners, now.runners);
  most.together = std::max(most.together, now.judge + now.oracle + now.runners);
}

std::string MemoryAccount::text() const {
  constexpr double kGiB = 1 << 30;
  std::string text;
  for (const auto& entry : enum_names(Stage{})) {
    const auto& most = most_.at(static_cast<std::size_t>(entry.value));
    if (most.together <= 0) continue;
    text += fmt::format("{}{}: judge {:.1f}, oracle {:.1f}, runners {:.1f}, together {:.1f} GiB",
                        text.empty() ? "" : "; ", entry.name, most.each.judge / kGiB, most.each.oracle / kGiB,
                        most.each.runners / kGiB, most.together / kGiB);
  }
  return text;
}

}  // namespace ridgeline::judge
