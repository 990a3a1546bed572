#include "engine/worker/judge/runners/tick_length.hpp"

#include <cstdint>

#include "engine/worker/runner/ticks.hpp"
#include "profiler/process_clock.hpp"

namespace ridgeline::judge {
namespace {

/// Both clocks at one moment. Of several readings, the one with the least time between the two clocks counts:
/// if the judge were preempted there, a tick would seem longer than it is, and a runner's claims shorter.
struct Moment {
  double seconds = 0;
  std::uint64_t ticks = 0;

  static Moment now() {
    Moment best;
    std::uint64_t narrowest = 0;
    for (int reading = 0; reading < 16; ++reading) {
      const auto before = runner::ticks();
      const double seconds = profiler::wall_seconds();
      const auto after = runner::ticks();
      if (reading > 0 && after - before >= narrowest) continue;
      narrowest = after - before;
      best = {seconds, before + narrowest / 2};
    }
    return best;
  }
};

}  // namespace

double seconds_per_tick() {
  static const double seconds = [] {
    const auto begin = Moment::now();
    auto end = begin;
    while (end.seconds - begin.seconds < 0.01) end = Moment::now();
    return (end.seconds - begin.seconds) / static_cast<double>(end.ticks - begin.ticks);
  }();
  return seconds;
}

}  // namespace ridgeline::judge
