// Decides which of a strategy's requests are started, which end the strategy sees next, and what of that has
// to be journaled. Pure: fed by events, gives actions.
//
// A joined batch, or the wait for one given request, ends the same way in whatever order its members end.
// Only two things depend on the world: which of several ended first, and whether a request was given up
// before it ended. Both are events in the journal (store::EffectEvent). While recorded events are left the
// schedule follows them and starts nothing, since the strategy may still give up what it began. Once none is
// left, the strategy's next wait starts what was begun.
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

  /// Do it, for the first time: the journal has no end of it.
  struct Start {
    Address address;
  };
  /// It was given up before it ended: stop it, and record that where nothing is recorded yet.
  struct Abandon {
    Address address;
    std::string reason;
  };
  /// Journal it; nothing waits for that.
  struct Append {
    store::EffectEvent event;
  };
  /// Journal it, and call `chosen` once it is committed: the strategy must not see this end before.
  struct Choose {
    store::EffectEvent event;
  };
  /// The strategy sees these ends now.
  struct Resume {
    std::vector<Address> ends;
  };
  using Action = std::variant<Start, Abandon, Append, Choose, Resume>;

  /// `where` names the trajectory in errors.
  EffectSchedule(std::vector<store::EffectEvent> recorded, std::string where);

  // Calls of the strategy. They throw JournalDiverged if the recorded events belong to another walk.
  void begin(Address address);
  void wait(std::vector<Address> among, Effects::Until until);
  /// Only of what is under way.
  void cancel(Address address, const std::string& reason);

  // Events from outside. `at` is when the result came; it orders requests that end before the strategy waits.
  void ended(Address address, store::Milliseconds at);
  void chosen();

  /// In the order in which they are to be done. A Resume is the last of them, and may call back.
  std::vector<Action> take_actions();

  /// Returns how many recorded events were followed while at most `steps` steps were begun. A branch keeps
  /// these events with these steps.
  int followed_within(int steps) const;
  int recorded() const { return static_cast<int>(recorded_.size()); }

 private:
  struct State {
    bool started = false;
    std::optional<std::pair<store::Milliseconds, int>> ended;  ///< when, and and its number among all ends
  };
  struct Wait {
    std::vector<Address> among;
    Effects::Until until = Effects::Until::all;
  };

  bool follows() const { return followed_.size() < recorded_.size(); }
  const store::EffectEvent& next_recorded() const { return recorded_[followed_.size()]; }
  void follow() { followed_.push_back(steps_); }
  [[noreturn]] void diverged(const std::string& now) const;
  store::EffectEvent event_of(store::EffectEventKind kind, Address address, std::string reason);

  void look_for_an_end();
  std::optional<Address> first_to_end(const std::vector<Address>& among) const;
  void resume(std::vector<Address> ends);
  void start_what_was_begun();

  std::vector<store::EffectEvent> recorded_;
  std::string where_;
  std::vector<int> followed_;  ///< of each followed event: steps begun by then
  int next_ordinal_ = 0;
  int steps_ = 0;
  int ends_ = 0;
  std::map<Address, State> under_way_;
  std::optional<Wait> wait_;
  std::optional<Address> choice_;  ///< being journaled
  std::vector<Action> actions_;
};

}  // namespace ridgeline::campaign
