// Which kinds of runners recent candidates needed, and how many of each are kept waiting. No I/O.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "engine/worker/judge/schedule/actions.hpp"

namespace ridgeline::judge {

/// States which kinds of runners this machine can start, and on how many cores.
struct RunnerMeans {
  bool opens_device = false;  ///< runners open a device: a start then takes as long as a verdict
  bool python = false;        ///< there is an interpreter with torch
  bool counts = false;        ///< there is a library by which calls on a device are counted
  unsigned cores = 1;         ///< of the machine
};

class RunnerDemand {
 public:
  /// Until another kind is taken, candidates are assumed to be libraries.
  explicit RunnerDemand(const RunnerMeans& means);

  /// A candidate or a reference took a runner. A candidate takes a runner that does not count, and then
  /// perhaps its counting counterpart: all other kinds are no longer in demand.
  void taken(RunnerKind kind);
  /// `count` runners of `kind` will be taken soon. The answer starts them.
  StartRunners expect(RunnerKind kind, std::size_t count = 1);
  /// Starts at least `count` runners, and changes nothing of the demand.
  StartRunners start(RunnerKind kind, std::size_t count = 1) const;
  /// Returns the starts that keep the wanted number of runners waiting, for each kind in demand.
  std::vector<StartRunners> start_ahead() const;

 private:
  struct Kind {
    bool startable = false;
    bool in_demand = false;
    std::size_t ahead = 1;  ///< runners kept waiting
  };
  Kind& at(RunnerKind kind) { return kinds_[static_cast<std::size_t>(kind)]; }
  const Kind& at(RunnerKind kind) const { return kinds_[static_cast<std::size_t>(kind)]; }

  std::array<Kind, kRunnerKinds> kinds_;  // of each RunnerKind
};

}  // namespace ridgeline::judge
