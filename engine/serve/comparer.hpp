// Computes the comparison of a store that changes, without delaying a page. It reads everything that
// happened, which takes seconds for a large campaign.
//
// Thread-safe. `current` starts a computation in the background if the last one is out of date, and returns
// the last result. After each computation it pauses for ten times as long, so that it takes little from a
// campaign that measures on this machine.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "engine/store/store.hpp"

namespace ridgeline::serve {

/// Keeps the latest comparison as HTML.
class Comparer {
 public:
  /// Runs its argument later, on any thread.
  using Background = std::function<void(std::function<void()>)>;
  using Clock = std::function<double()>;  ///< seconds of a monotonic clock

  /// `store` must outlive everything that `background` runs.
  Comparer(const store::Store& store, Background background, Clock clock);

  struct Current {
    int version = 0;   ///< raised with every result
    std::string html;  ///< "" before the first result
  };
  /// Returns the latest result. `mark` is what Store::mark returns now; nullopt counts as a changed store.
  Current current(const std::optional<std::string>& mark);

 private:
  struct Shared;
  static void compute(Shared& shared);
  std::shared_ptr<Shared> shared_;
  Background background_;
};

}  // namespace ridgeline::serve
