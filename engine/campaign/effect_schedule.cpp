#include "engine/campaign/effect_schedule.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/campaign/recorded_steps.hpp"

namespace ridgeline::campaign {

using store::EffectEvent;
using store::EffectEventKind;

namespace {

std::string text_of(Effects::Address address) {
  return fmt::format("{}.{}", address.step, address.slot);
}

}  // namespace

EffectSchedule::EffectSchedule(std::vector<EffectEvent> recorded, std::string where)
    : recorded_(std::move(recorded)),
      where_(std::move(where)),
      next_ordinal_(recorded_.empty() ? 0 : recorded_.back().ordinal + 1) {}

void EffectSchedule::begin(Address address) {
  steps_ = std::max(steps_, address.step + 1);
  under_way_.emplace(address, State{});
}

void EffectSchedule::wait(std::vector<Address> among, Effects::Until until) {
  // The first end of a single request is that request's: there is no choice to journal.
  if (among.size() == 1) until = Effects::Until::all;
  wait_ = Wait{std::move(among), until};
  resume_or_start();
}

void EffectSchedule::cancel(Address address, const std::string& reason) {
  const auto known = under_way_.find(address);
  if (known == under_way_.end()) return;
  const bool has_ended = known->second.ended.has_value();
  under_way_.erase(known);
  if (!is_replaying()) {
    // The event comes before the record of the cancelled request, so that no journal holds the record without
    // its cause.
    actions_.emplace_back(Append{event_of(EffectEventKind::cancelled, address, reason)});
  } else {
    const auto& event = next_recorded();
    if (event.event != EffectEventKind::cancelled || Address{event.step, event.slot} != address)
      throw_diverged(fmt::format("the request {} is given up", text_of(address)));
    follow();
  }
  if (!has_ended) actions_.emplace_back(Abandon{address, reason});
}

void EffectSchedule::on_end(Address address, store::Milliseconds at) {
  const auto known = under_way_.find(address);
  if (known == under_way_.end()) return;  // cancelled meanwhile
  known->second.started = true;
  known->second.ended = {at, ends_++};
  if (wait_) resume_or_start();
}

void EffectSchedule::on_choice_committed() {
  const auto address = *std::exchange(choice_, std::nullopt);
  resume({address});
}

std::vector<EffectSchedule::Action> EffectSchedule::take_actions() {
  return std::exchange(actions_, {});
}

int EffectSchedule::followed_within(int steps) const {
  return static_cast<int>(
      std::ranges::count_if(steps_at_followed_event_, [&](int begun) { return begun <= steps; }));
}

/// Resumes the strategy if what it waits for has ended; otherwise starts what was begun.
void EffectSchedule::resume_or_start() {
  if (choice_) return;  // its commit resumes the strategy; an end that comes meanwhile is too late
  const auto& [among, until] = *wait_;
  if (until == Effects::Until::all) {
    const bool all =
        std::ranges::all_of(among, [&](Address member) { return under_way_.at(member).ended.has_value(); });
    if (all) return resume(among);
    // An event is journaled only after the ends that the strategy had seen before it, so they must be there.
    if (is_replaying())
      throw_diverged(fmt::format("{} is waited for, which has no result", text_of(among.front())));
    return start_begun_requests();
  }
  if (is_replaying()) {
    const auto& event = next_recorded();
    const Address address{event.step, event.slot};
    const bool awaited = std::ranges::find(among, address) != among.end();
    if (event.event != EffectEventKind::ended || !awaited || !under_way_.at(address).ended)
      throw_diverged("the first end of several is waited for");
    follow();
    return resume({address});
  }
  if (const auto first = first_to_end(among)) {
    choice_ = *first;
    actions_.emplace_back(Choose{event_of(EffectEventKind::ended, *first, "")});
    return;
  }
  start_begun_requests();
}

std::optional<EffectSchedule::Address> EffectSchedule::first_to_end(const std::vector<Address>& among) const {
  std::optional<Address> first;
  for (const auto address : among) {
    const auto& end = under_way_.at(address).ended;
    if (end && (!first || *end < *under_way_.at(*first).ended)) first = address;
  }
  return first;
}

void EffectSchedule::resume(std::vector<Address> ends) {
  wait_.reset();
  for (const auto address : ends) under_way_.erase(address);
  actions_.emplace_back(Resume{std::move(ends)});
}

/// Starts every request, also those that this wait is not for: a strategy begins requests early to overlap
/// them.
void EffectSchedule::start_begun_requests() {
  for (auto& [address, state] : under_way_)
    if (!std::exchange(state.started, true)) actions_.emplace_back(Start{address});
}

EffectEvent EffectSchedule::event_of(EffectEventKind kind, Address address, std::string reason) {
  EffectEvent event;
  event.ordinal = next_ordinal_++;
  event.event = kind;
  event.step = address.step;
  event.slot = address.slot;
  event.reason = std::move(reason);
  return event;
}

void EffectSchedule::throw_diverged(const std::string& now) const {
  const auto& event = next_recorded();
  throw JournalDiverged(
      fmt::format("{}: its recorded walk goes on with '{} {}', and now {}, since a strategy, a setting or "
                  "Ridgeline itself changed. Restore it to go on, or add --fork to start a branch that keeps "
                  "the steps before and goes on anew from here",
                  where_, to_string(event.event), text_of({event.step, event.slot}), now),
      steps_);
}

}  // namespace ridgeline::campaign
