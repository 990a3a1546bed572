// Effects: the only things that a strategy can do to the world. It begins requests, waits for their ends, and
// cancels them.
//
// A request asks a model, or asks a model and evaluates the kernel that comes. A strategy is a
// deterministic function of its seed and of what it sees of its requests: their results, and which of several
// ended first. Whoever implements Effects journals both before the strategy sees them, so that running the
// coroutine again over its journal gives the same walk. A request that fails for good, or that the
// trajectory's budget refuses, ends too: its Attempt says so (attempt.hpp).
//
//   const auto attempts = co_await effects.attempt_all(round, std::move(asks));  // joined: all have ended
//
//   EffectGroup group(effects);                     // what has not ended when it goes is cancelled
//   group.begin_attempt(0, std::move(ask));         // several of these
//   const auto end = co_await group.first_end();    // whichever ends first
//   group.cancel_rest("another kernel is correct");
//
// A coroutine waits for one thing at a time. Everything belongs to the strategy's thread.
#pragma once

#include <compare>
#include <coroutine>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/attempt.hpp"

namespace ridgeline {

class EffectWait;
class EffectGroup;
class JoinedBatch;

class Effects {
 public:
  virtual ~Effects() = default;

  enum class Kind { ask_only, ask_and_evaluate };

  /// A request's place in its trajectory's journal, and the strategy's handle for it: the number of the step
  /// that began it, and its place in a joined batch (0 outside of a batch).
  struct Address {
    int step = 0;
    int slot = 0;
    auto operator<=>(const Address&) const = default;
  };
  struct Request {
    Address address;
    Kind kind = Kind::ask_and_evaluate;
    int round = 0;  ///< stamped on the scored candidate
    Ask ask;
  };
  struct End {
    Address address;
    Attempt attempt;
  };
  enum class Until { first, all };
  using Done = std::function<void(std::vector<End>)>;

  /// Begins all of them. `co_await` gives one Attempt for each Ask, in their order, once all have ended.
  JoinedBatch attempt_all(int round, std::vector<Ask> asks);
  JoinedBatch ask_all(int round, std::vector<Ask> asks);

 private:
  friend class EffectWait;
  friend class EffectGroup;

  /// Records the request. It and `wait` may throw into the strategy, which must not catch that: its
  /// trajectory cannot go on. All recorded requests are sent when the strategy waits for one that has not
  /// ended: a replay that finds every end in the journal sends nothing.
  virtual void begin(Request request) = 0;
  /// Calls `done` at most once, on the strategy's thread, inside this call or later: with the first of
  /// `among` to end, or with all in the order of `among`. Never calls it if the strategy is to go no further.
  virtual void wait(std::vector<Address> among, Until until, Done done) = 0;
  /// Ends these requests without results: the strategy never sees what came of them. A cost stays counted.
  virtual void cancel(const std::vector<Address>& given_up, const std::string& reason) noexcept = 0;

  int next_step_ = 0;
};

/// Suspends a strategy until requests have ended.
class EffectWait {
 public:
  EffectWait(Effects& effects, std::vector<Effects::Address> among, Effects::Until until)
      : effects_(effects), among_(std::move(among)), until_(until) {}

  bool await_ready() const noexcept { return among_.empty(); }
  bool await_suspend(std::coroutine_handle<> self) {
    in_wait_ = true;
    effects_.wait(among_, until_, [this, self](std::vector<Effects::End> ends) {
      ends_ = std::move(ends);
      finished_ = true;
      if (!in_wait_) self.resume();
    });
    in_wait_ = false;
    return !finished_;  // finished inside wait (a replay): go on without recursion
  }

 protected:
  std::vector<Effects::End>& ends() { return ends_; }

 private:
  Effects& effects_;
  std::vector<Effects::Address> among_;
  Effects::Until until_;
  std::vector<Effects::End> ends_;
  bool in_wait_ = false;
  bool finished_ = false;
};

/// Requests under way. Those that have not ended when the group is destroyed, because the strategy returned
/// or threw, are cancelled.
class EffectGroup {
 public:
  explicit EffectGroup(Effects& effects) : effects_(effects) {}
  EffectGroup(const EffectGroup&) = delete;  // awaitables know it by address
  EffectGroup& operator=(const EffectGroup&) = delete;
  ~EffectGroup() { cancel_rest("the strategy ended"); }

  Effects::Address begin_attempt(int round, Ask ask) {
    return begin({{effects_.next_step_++, 0}, Effects::Kind::ask_and_evaluate, round, std::move(ask)});
  }
  Effects::Address begin_ask(int round, Ask ask) {
    return begin({{effects_.next_step_++, 0}, Effects::Kind::ask_only, round, std::move(ask)});
  }

  bool empty() const { return under_way_.empty(); }
  std::size_t size() const { return under_way_.size(); }

  class OneEnd : public EffectWait {
   public:
    OneEnd(EffectGroup& group, std::vector<Effects::Address> among)
        : EffectWait(group.effects_, std::move(among), Effects::Until::first), group_(group) {}
    Effects::End await_resume() {
      auto end = std::move(ends().at(0));
      std::erase(group_.under_way_, end.address);
      return end;
    }

   private:
    EffectGroup& group_;
  };

  /// `co_await` gives the Effects::End of whichever member ends first. The group must not be empty.
  OneEnd first_end() { return OneEnd(*this, under_way_); }
  /// `co_await` gives the Effects::End of this member, which must be under way.
  OneEnd end_of(Effects::Address member) { return OneEnd(*this, {member}); }

  void cancel(Effects::Address member, const std::string& reason) {
    if (std::erase(under_way_, member) > 0) effects_.cancel({member}, reason);
  }
  /// Cancels every member that has not ended.
  void cancel_rest(const std::string& reason) noexcept {
    if (under_way_.empty()) return;
    effects_.cancel(under_way_, reason);
    under_way_.clear();
  }

 private:
  friend class JoinedBatch;

  Effects::Address begin(Effects::Request request) {
    const auto address = request.address;
    under_way_.push_back(address);
    effects_.begin(std::move(request));
    return address;
  }
  /// The members of a joined batch are the slots of one step.
  std::vector<Effects::Address> begin_batch(Effects::Kind kind, int round, std::vector<Ask> asks) {
    const int step = effects_.next_step_++;
    for (std::size_t slot = 0; slot < asks.size(); ++slot)
      begin({{step, static_cast<int>(slot)}, kind, round, std::move(asks[slot])});
    return under_way_;
  }

  Effects& effects_;
  std::vector<Effects::Address> under_way_;  ///< in the order of their beginnings
};

/// The awaitable that Effects::attempt_all and ask_all return. Members that have not ended when it is
/// destroyed are cancelled.
class JoinedBatch {
 public:
  JoinedBatch(Effects& effects, Effects::Kind kind, int round, std::vector<Ask> asks)
      : group_(effects), wait_(effects, group_.begin_batch(kind, round, std::move(asks))) {}

  bool await_ready() const noexcept { return wait_.await_ready(); }
  bool await_suspend(std::coroutine_handle<> self) { return wait_.await_suspend(self); }
  std::vector<Attempt> await_resume() {
    group_.under_way_.clear();
    return wait_.attempts();
  }

 private:
  class All : public EffectWait {
   public:
    All(Effects& effects, std::vector<Effects::Address> among)
        : EffectWait(effects, std::move(among), Effects::Until::all) {}
    std::vector<Attempt> attempts() {
      std::vector<Attempt> all;
      for (auto& end : ends()) all.push_back(std::move(end.attempt));
      return all;
    }
  };

  EffectGroup group_;
  All wait_;
};

inline JoinedBatch Effects::attempt_all(int round, std::vector<Ask> asks) {
  return JoinedBatch(*this, Kind::ask_and_evaluate, round, std::move(asks));
}
inline JoinedBatch Effects::ask_all(int round, std::vector<Ask> asks) {
  return JoinedBatch(*this, Kind::ask_only, round, std::move(asks));
}

}  // namespace ridgeline
