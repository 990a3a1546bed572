// Repeats a piece of work and keeps the shortest time, which was disturbed least.
#pragma once

#include <chrono>

namespace ridgeline::profiler {

/// Calls `work` at least three times, until `seconds` have passed, and returns the seconds of the fastest
/// call.
template <class Work>
double fastest(double seconds, Work&& work) {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  double best = 0;
  for (int round = 0;; ++round) {
    const auto before = Clock::now();
    if (round >= 3 && std::chrono::duration<double>(before - start).count() >= seconds) return best;
    work();
    const double took = std::chrono::duration<double>(Clock::now() - before).count();
    if (round == 0 || took < best) best = took;
  }
}

}  // namespace ridgeline::profiler
