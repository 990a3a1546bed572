#include "engine/campaign/judge_health.hpp"

#include <fmt/format.h>

namespace ridgeline::campaign {

VerdictUse JudgeHealth::decide(const Verdict& verdict, int tries, std::int64_t judged_before) {
  if (verdict.scorable()) {
    ++judged_;
    return Keep{};
  }
  const auto stage = verdict.failed_at().value_or(Stage::build);
  const auto& failed = verdict.at(stage);
  const auto what = fmt::format("{}: {}{}{}", to_string(stage), to_string(failed.reason),
                                failed.detail.empty() ? "" : ": ", failed.detail);
  // Repeating helps neither: the same task is refused again, and the same allocation fails again.
  if (failed.reason == Reason::task_rejected || failed.reason == Reason::memory_limit) return TaskFails{what};
  if (!verdict.retryable()) return MachineFails{fmt::format("the worker cannot evaluate ({})", what)};
  // A lost worker is replaced within seconds; a device that fell off needs longer to come back.
  if (tries < kTries) return RepeatAfter{tries == 1 ? 2.0 : 20.0};
  if (judged_ > judged_before) return Keep{};
  return ProveMachine{
      fmt::format("the worker failed {} times in a row and judged nothing meanwhile ({})", tries, what)};
}

}  // namespace ridgeline::campaign
