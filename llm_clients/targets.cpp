#include "llm_clients/targets.hpp"

#include <algorithm>

namespace ridgeline::llm {
namespace {

constexpr int kDeniedInARow = 5;

}  // namespace

Blame Target::judged(Blame blame) {
  if (blame != Blame::denied) {
    if (blame == Blame::request || blame == Blame::answer) denied = 0;
    return blame;
  }
  ++denied;
  return !answered || denied >= kDeniedInARow ? Blame::account : Blame::request;
}

void Target::has_answered() {
  answered = true;
  denied = 0;
}

Targets::Choice Targets::choose(TimePoint now, bool heedless) {
  Choice choice;
  for (auto& target : targets_) {
    if (target.refused) continue;
    const auto decision = target.endpoint->breaker().look(now);
    if (std::holds_alternative<CircuitBreaker::Go>(decision)) return {&target, decision};
    const auto* until = std::get_if<CircuitBreaker::WaitUntil>(&decision);
    const auto* before = std::get_if<CircuitBreaker::WaitUntil>(&choice.decision);
    if (!choice.target || (until && (!before || until->time < before->time))) choice = {&target, decision};
  }
  if (heedless) choice.decision = CircuitBreaker::Go{};
  return choice;
}

bool Targets::refuse(Target& target) {
  target.refused = true;
  if (!std::ranges::all_of(targets_, &Target::refused)) return true;
  for (auto& one : targets_) one.refused = false;
  return false;
}

std::optional<TimePoint> Targets::out_since() const {
  std::optional<TimePoint> since;
  for (const auto& target : targets_) {
    if (target.refused) continue;
    const auto& outage = target.endpoint->outage();
    if (!outage) return std::nullopt;
    since = std::max(since.value_or(outage->since), outage->since);
  }
  return since;
}

bool Targets::answered_after(TimePoint time) const {
  return std::ranges::any_of(targets_, [&](const Target& target) {
    const auto& answer = target.endpoint->last_answer();
    return answer && *answer > time;
  });
}

}  // namespace ridgeline::llm
