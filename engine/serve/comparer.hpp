// The comparison of a store that changes, never in the way of a page: it reads everything that happened,
// which takes seconds for a large campaign.
//
// Thread-safe. `current` starts a computation in the background where the last one is out of date, and gives
// what there is; after each computation it rests for ten times as long, so that it takes little from a
// campaign that is measuring on this machine.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "engine/store/store.hpp"

namespace ridgeline::serve {

class Comparer {
 public:
  /// Runs its argument some time, on whatever thread.
  using Background = std::function<void(std::function<void()>)>;
  using Clock = std::function<double()>;  ///< seconds that never go back

  /// `store` outlives what `background` runs.
  Comparer(const store::Store& store, Background background, Clock clock);

  struct Current {
    int version = 0;   ///< grows with every result
    std::string html;  ///< empty before the first
  };
  /// `mark` is the store's now; nullopt counts as changed.
  Current current(const std::optional<std::string>& mark);

 private:
  struct Shared;
  static void compute(Shared& shared);
  std::shared_ptr<Shared> shared_;
  Background background_;
};

}  // namespace ridgeline::serve
