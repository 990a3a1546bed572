#include "llm_clients/targets.hpp"

#include <algorithm>
#include <string_view>

#include "llm_clients/protocol.hpp"

namespace ridgeline::llm {
namespace {

/// One request may be denied by itself (a moderated prompt); five in a row mean that the entry is wrong.
constexpr int kDeniedInARow = 5;

}  // namespace

Blame Target::settle_blame(Blame blame) {
  if (blame != Blame::denied) {
    // Such a failure means that the model ran, so key and address are right. An outage means nothing.
    if (blame == Blame::request || blame == Blame::answer) denied = 0;
    return blame;
  }
  ++denied;
  return !answered || denied >= kDeniedInARow ? Blame::account : Blame::request;
}

void Target::record_answer() {
  answered = true;
  denied = 0;
}

SentParts Target::sent_parts(const LlmRequest& request) const {
  const bool openai =
      model.provider == Provider::openai_chat || model.provider == Provider::openai_completions;
  // Anthropic takes no seed, and other providers know one name only for the limit.
  return {.seed = model.provider != Provider::anthropic && effective_seed(model, request).has_value(),
          .max_tokens = openai && std::string_view(max_tokens_name(model)) == "max_tokens"};
}

bool Target::leave_out(BodyPart part, const SentParts& sent) {
  switch (part) {
    case BodyPart::seed:
      // False for a body without a seed: the words match by chance, and sending it again would loop.
      if (sent.seed) model.send_seed = false;
      return sent.seed;
    case BodyPart::max_tokens:
      if (sent.max_tokens) model.max_tokens_field = MaxTokensField::max_completion_tokens;
      return sent.max_tokens;
    case BodyPart::none:
      break;
  }
  return false;
}

Targets::Choice Targets::choose(TimePoint now, bool ignore_breakers, const Target* failed_at) {
  Choice choice;
  Target* last_resort = nullptr;
  for (auto& target : targets_) {
    if (target.refused) continue;
    const auto& breaker = target.endpoint->breaker();
    const auto decision = breaker.decide(now);
    if (std::holds_alternative<CircuitBreaker::Go>(decision)) {
      // A probe of the same target by the same request again and again would let one bad request stand for
      // all.
      if (breaker.closed() || &target != failed_at) return {&target, decision};
      last_resort = &target;
      continue;
    }
    const auto* until = std::get_if<CircuitBreaker::WaitUntil>(&decision);
    const auto* before = std::get_if<CircuitBreaker::WaitUntil>(&choice.decision);
    // Remembers the target whose pause ends first, for the caller's timer.
    if (!choice.target || (until && (!before || until->time < before->time))) choice = {&target, decision};
  }
  if (last_resort) return {last_resort, CircuitBreaker::Go{}};
  if (ignore_breakers) choice.decision = CircuitBreaker::Go{};
  return choice;
}

bool Targets::refuse(Target& target) {
  target.refused = true;
  // If all are refused, all are used again: a person may have repaired a key, and the next failure says so.
  if (!std::ranges::all_of(targets_, &Target::refused)) return true;
  for (auto& other : targets_) other.refused = false;
  return false;
}

std::optional<TimePoint> Targets::out_since() const {
  std::optional<TimePoint> since;
  for (const auto& target : targets_) {
    if (target.refused) continue;
    const auto& outage = target.endpoint->outage();
    if (!outage) return std::nullopt;
    // The latest of the outages: until it began, one target still answered.
    since = std::max(since.value_or(outage->since), outage->since);
  }
  return since;
}

bool Targets::answered_after(TimePoint time) const {
  return std::ranges::any_of(targets_, [&](const Target& target) {
    const auto& answered = target.endpoint->last_answered();
    return answered && *answered > time;
  });
}

}  // namespace ridgeline::llm
