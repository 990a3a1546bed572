// Decides which of a strategy's requests are started, which end the strategy sees next, and which facts about
// ends are journaled. Pure: takes events, returns actions. One thread, no I/O.
//
// A step begins one request, or all requests of a joined batch. A request's address is the number of its step
// and its slot within the step (engine/core/effects.hpp).
//
// A strategy that waits for a single request, or for all of a joined batch, sees the same ends in whatever
// order they come. Only two facts depend on the world: which of several requests ended first, and that a
// request was cancelled before the strategy saw its end. Both are events in the journal (store::EffectEvent).
//
// While recorded events are left, the schedule follows them and starts nothing: a recorded event may cancel a
// request that was begun. Afterwards, a wait that no end satisfies yet starts every request that was begun.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/core/effects.hpp"
#include "engine/store/records.hpp"

namespace ridgeline::campaign {

class EffectSchedule {
 public:
  using Address = Effects::Address;

  /// Perform this request. No end of it was reported, neither from the journal nor from the world.
  struct Start {
    Address address;
  };
  /// Stop this request, which was cancelled before it ended. Journal the request itself as cancelled for
  /// `reason`, unless its result is being journaled already.
  struct Abandon {
    Address address;
    std::string reason;
  };
  /// Journal this event. Nothing waits for the commit.
  struct Append {
    store::EffectEvent event;
  };
  /// Journal this event and call `on_choice_committed` after the commit. The strategy must not see the end
  /// earlier: a kill in between would let a resume choose another.
  struct Choose {
    store::EffectEvent event;
  };
  /// Hand these ends to the strategy.
  struct Resume {
    std::vector<Address> ends;
  };
  using Action = std::variant<Start, Abandon, Append, Choose, Resume>;

  /// Takes the journal's events, ordered by ordinal. `where` names the trajectory in errors.
  EffectSchedule(std::vector<store::EffectEvent> recorded, std::string where);

  // The strategy calls these. `wait` and `cancel` throw JournalDiverged if the recorded events do not match.
  void begin(Address address);
  /// Waits for the first of `among` to end, or for all of them, as `until` says.
  void wait(std::vector<Address> among, Effects::Until until);
  /// Does nothing if the request has been handed to the strategy or cancelled before.
  void cancel(Address address, const std::string& reason);

  // These report what the journal, models, judges and the store say.
  /// Reports the end of a request: one in the journal right after `begin`, others when they come. `at` is
  /// when the result came; it orders requests that ended before the strategy waited.
  void on_end(Address address, store::Milliseconds at);
  void on_choice_committed();

  /// Returns the actions since the last call, in the order in which to perform them. A Resume is always the
  /// last of them; performing it may run the strategy, which calls back into this object.
  std::vector<Action> take_actions();

  /// Returns how many recorded events were followed while at most `steps` steps were begun. A branch that
  /// keeps the first `steps` steps of this trajectory keeps these events too (branch.hpp).
  int followed_within(int steps) const;
  int recorded() const { return static_cast<int>(recorded_.size()); }  ///< events

 private:
  struct State {
    bool started = false;
    std::optional<std::pair<store::Milliseconds, int>> ended;  ///< time, then number among all ends
  };
  struct Wait {
    std::vector<Address> among;
    Effects::Until until = Effects::Until::all;
  };

  bool is_replaying() const { return steps_at_followed_event_.size() < recorded_.size(); }
  const store::EffectEvent& next_recorded() const { return recorded_[steps_at_followed_event_.size()]; }
  void follow() { steps_at_followed_event_.push_back(steps_); }
  [[noreturn]] void throw_diverged(const std::string& now) const;
  store::EffectEvent event_of(store::EffectEventKind kind, Address address, std::string reason);

  void resume_or_start();
  std::optional<Address> first_to_end(const std::vector<Address>& among) const;
  void resume(std::vector<Address> ends);
  void start_begun_requests();

  std::vector<store::EffectEvent> recorded_;
  std::string where_;
  std::vector<int> steps_at_followed_event_;  ///< steps begun when each event was followed
  int next_ordinal_ = 0;                      ///< ordinal of the event that is journaled next
  int steps_ = 0;                             ///< steps begun so far
  int ends_ = 0;                              ///< requests that ended so far
  std::map<Address, State> under_way_;
  std::optional<Wait> wait_;       ///< set while the strategy waits
  std::optional<Address> choice_;  ///< set while a choice is being journaled
  std::vector<Action> actions_;
};

}  // namespace ridgeline::campaign
