#include "engine/campaign/judge_health.hpp"

#include <fmt/format.h>

namespace ridgeline::campaign {

VerdictUse JudgeHealth::decide(const Verdict& verdict, int tries, std::int64_t judged_before) {
  const auto stage = verdict.failed_at();
  if (!stage || verdict.at(*stage).status != Status::unavailable) {
    ++judged_;
    return Keep{};
  }
  const auto& failed = verdict.at(*stage);
  const auto what = fmt::format("{}: {}{}{}", to_string(*stage), to_string(failed.reason),
                                failed.detail.empty() ? "" : ": ", failed.detail);
  switch (failed.reason) {
    case Reason::task_rejected:
      return TaskFails{what};
    case Reason::unsupported:
    case Reason::compiler_missing:
      return MachineFails{fmt::format("the worker cannot evaluate ({})", what)};
    default:
      break;
  }
  if (tries < kTries) return RepeatAfter{tries == 1 ? 2.0 : 20.0};
  if (judged_ > judged_before) return Keep{};
  return MachineFails{
      fmt::format("the worker failed {} times in a row and judged nothing meanwhile ({})", tries, what)};
}

}  // namespace ridgeline::campaign
