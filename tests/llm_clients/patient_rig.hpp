// A provider's client with patience, on a clock and a wire that the test controls.
#pragma once

#include "tests/llm_clients/client_rig.hpp"

namespace ridgeline::llm::test {

/// A client with ten minutes of patience and two quick attempts.
struct PatientRig : ClientRig {
  PatientRig() {
    model.patience = {.seconds = 600, .longest_pause = 60};
    model.retries = {.attempts = 2, .base = 1, .cap = 60, .longest = 600};
  }
  /// Answers every request with `status` for `seconds` on the clock. Returns how many requests came.
  int stay_out(double seconds, int status = 503) {
    const auto end = clock.now + clock_seconds(seconds);
    int turned_away = 0;
    for (; clock.now <= end; clock.advance(0.05))
      for (; seen_ < wire.size(); ++turned_away) turn_away(seen_++, status);
    return turned_away;
  }
  /// Regards all requests so far as answered.
  void skip() { seen_ = wire.size(); }

 private:
  std::size_t seen_ = 0;
};

}  // namespace ridgeline::llm::test
