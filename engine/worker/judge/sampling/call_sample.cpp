#include "engine/worker/judge/sampling/call_sample.hpp"

#include <algorithm>
#include <utility>

namespace ridgeline::judge {
namespace {

constexpr std::size_t kLeastOfATurn = 3, kMostOfATurn = 24;
constexpr std::size_t kTurnsAtOnce = 8;  // that are to find room; then those that do not count give way
constexpr std::size_t kInAll = 12;       // at least, as far as there are any: four turns' worth

}  // namespace

CallSample::CallSample(std::size_t room) : room_(std::max<std::size_t>(1, room)) {}

void CallSample::begin_turn(const std::vector<std::size_t>& counting) {
  counting_ = counting;
  ++turn_;
  offered_ = 0;
}

void CallSample::clear() {
  turn_of_.clear();
  counting_.clear();
  turn_ = offered_ = 0;
}

std::vector<std::size_t> CallSample::places_of(std::size_t turn) const {
  std::vector<std::size_t> found;
  for (std::size_t place = 0; place < turn_of_.size(); ++place)
    if (turn_of_[place] == turn) found.push_back(place);
  return found;
}

/// Of turns that do not count as it stands.
std::vector<std::size_t> CallSample::idle_places() const {
  std::vector<std::size_t> found;
  for (std::size_t place = 0; place < turn_of_.size(); ++place) {
    const auto is_its_turn = [&](std::size_t turn) { return turn + 1 == turn_of_[place]; };
    if (turn_of_[place] != turn_ && std::ranges::none_of(counting_, is_its_turn)) found.push_back(place);
  }
  return found;
}

/// Within a turn by reservoir sampling (Vitter's algorithm R).
std::optional<std::size_t> CallSample::offer(Random& random) {
  ++offered_;
  const auto own = places_of(turn_);
  const std::size_t most = turn_ == 0 ? room_ : std::clamp(room_ / kTurnsAtOnce, kLeastOfATurn, kMostOfATurn);
  if (own.size() < most) {
    if (turn_of_.size() < room_) {
      turn_of_.push_back(turn_);
      return turn_of_.size() - 1;
    }
    if (const auto place = in_place_of_another(own.size(), random)) return place;
  }
  const std::size_t chosen = random.below(offered_);
  return chosen < own.size() ? std::optional(own[chosen]) : std::nullopt;
}

/// What does not count as it stands gives way, then whichever turn has most of the room. Where each has one,
/// the turns themselves are sampled.
std::optional<std::size_t> CallSample::in_place_of_another(std::size_t held, Random& random) {
  auto giving = idle_places();
  if (giving.empty()) {
    for (std::size_t turn = 1; turn < turn_; ++turn)
      if (auto places = places_of(turn); places.size() > giving.size()) giving = std::move(places);
    if (giving.size() <= held + 1) giving.clear();
  }
  std::optional<std::size_t> place;
  if (!giving.empty())
    place = giving[random.below(giving.size())];
  else if (offered_ == 1)
    place = random.below(turn_);
  if (!place || *place >= room_) return std::nullopt;
  turn_of_[*place] = turn_;
  return place;
}

std::vector<std::size_t> CallSample::keep_turns(const std::vector<std::size_t>& turns, Random& random) {
  std::vector<std::size_t> kept, others, turns_of_kept;
  for (std::size_t place = 0; place < turn_of_.size(); ++place) {
    const bool wanted = std::ranges::any_of(turns, [&](auto turn) { return turn + 1 == turn_of_[place]; });
    (wanted ? kept : others).push_back(place);
  }
  while (kept.size() < kInAll && !others.empty()) {
    std::swap(others[random.below(others.size())], others.back());
    kept.push_back(others.back());
    others.pop_back();
  }
  for (const auto place : kept) turns_of_kept.push_back(turn_of_[place]);
  turn_of_ = std::move(turns_of_kept);
  return kept;
}

}  // namespace ridgeline::judge
