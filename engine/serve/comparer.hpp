// Computes the comparison of a store's strategies while the store changes, without delaying a page. A
// computation reads everything that happened, which takes seconds for a large campaign.
//
// Thread-safe. `current` starts a computation in the background if the last one is out of date, and returns
// the last result. After each computation it starts none for ten times as long as that took, so that little
// is taken from a campaign that measures on this machine.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "engine/store/store.hpp"

namespace ridgeline::serve {

/// Keeps the latest comparison of the store's campaigns, as HTML.
class Comparer {
 public:
  /// Runs its argument once, now or later, on any thread.
  using Background = std::function<void(std::function<void()>)>;
  using Clock = std::function<double()>;  ///< seconds of a monotonic clock

  /// `store` must outlive everything that `background` runs.
  Comparer(const store::Store& store, Background background, Clock clock);

  struct Current {
    int version = 0;   ///< raised with every result, from 1; 0 before the first
    std::string html;  ///< "" before the first result; says so if there is nothing to compare, or an error
  };
  /// Returns the latest result, which may be out of date. `mark` is what Store::mark returns now; nullopt
  /// counts as a changed store. Throws what `background` throws; the next call then tries again.
  Current current(const std::optional<std::string>& mark);

 private:
  struct Shared;
  static void compute(Shared& shared);
  std::shared_ptr<Shared> shared_;
  Background background_;
};

}  // namespace ridgeline::serve
