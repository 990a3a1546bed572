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
  // The first of one is that one: there is no choice to journal.
  if (among.size() == 1) until = Effects::Until::all;
  wait_ = Wait{std::move(among), until};
  look_for_an_end();
}

void EffectSchedule::cancel(Address address, const std::string& reason) {
  const auto known = under_way_.find(address);
  if (known == under_way_.end()) return;
  const bool has_ended = known->second.ended.has_value();
  under_way_.erase(known);
  if (!follows()) {
    // Before the record of what was given up, so that no journal holds one without the other's cause.
    actions_.emplace_back(Append{event_of(EffectEventKind::cancelled, address, reason)});
  } else {
    const auto& event = next_recorded();
    if (event.event != EffectEventKind::cancelled || Address{event.step, event.slot} != address)
      diverged(fmt::format("the request {} is given up", text_of(address)));
    follow();
  }
  if (!has_ended) actions_.emplace_back(Abandon{address, reason});
}

void EffectSchedule::ended(Address address, store::Milliseconds at) {
  const auto known = under_way_.find(address);
  if (known == under_way_.end()) return;  // given up
  known->second.started = true;
  known->second.ended = {at, ends_++};
  if (wait_) look_for_an_end();
}

void EffectSchedule::chosen() {
  const auto address = *std::exchange(choice_, std::nullopt);
  resume({address});
}

std::vector<EffectSchedule::Action> EffectSchedule::take_actions() {
  return std::exchange(actions_, {});
}

int EffectSchedule::followed_within(int steps) const {
  return static_cast<int>(std::ranges::count_if(followed_, [&](int begun) { return begun <= steps; }));
}

/// Resumes the strategy if what it waits for has ended; otherwise starts what was begun.
void EffectSchedule::look_for_an_end() {
  if (choice_) return;  // made already
  const auto& [among, until] = *wait_;
  if (until == Effects::Until::all) {
    const bool all =
        std::ranges::all_of(among, [&](Address one) { return under_way_.at(one).ended.has_value(); });
    if (all) return resume(among);
    if (follows()) diverged(fmt::format("{} is waited for, which has no result", text_of(among.front())));
    return start_what_was_begun();
  }
  if (follows()) {
    const auto& event = next_recorded();
    const Address address{event.step, event.slot};
    const bool awaited = std::ranges::find(among, address) != among.end();
    if (event.event != EffectEventKind::ended || !awaited || !under_way_.at(address).ended)
      diverged("the first end of several is waited for");
    follow();
    return resume({address});
  }
  if (const auto first = first_to_end(among)) {
    choice_ = *first;
    actions_.emplace_back(Choose{event_of(EffectEventKind::ended, *first, "")});
    return;
  }
  start_what_was_begun();
}

std::optional<EffectSchedule::Address> EffectSchedule::first_to_end(const std::vector<Address>& among) const {
  std::optional<Address> first;
  for (const auto one : among) {
    const auto& end = under_way_.at(one).ended;
    if (end && (!first || *end < *under_way_.at(*first).ended)) first = one;
  }
  return first;
}

void EffectSchedule::resume(std::vector<Address> ends) {
  wait_.reset();
  for (const auto one : ends) under_way_.erase(one);
  actions_.emplace_back(Resume{std::move(ends)});
}

/// All of it, also what this wait is not for.
void EffectSchedule::start_what_was_begun() {
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

void EffectSchedule::diverged(const std::string& now) const {
  const auto& event = next_recorded();
  throw JournalDiverged(
      fmt::format("{}: its recorded walk goes on with '{} {}', and now {}, since a strategy, a setting or "
                  "Ridgeline itself changed. Restore it to go on, or add --fork to start a branch that keeps "
                  "the steps before and goes on anew from here",
                  where_, to_string(event.event), text_of({event.step, event.slot}), now),
      steps_);
}

}  // namespace ridgeline::campaign
