// Puts both sides of a comparison on one core of the host.
//
// Two processes that did the same work on cores of one virtual machine took up to 1.8 times as long as each
// other, for tenths of a second to seconds (docs/measurements.md; the cause is other work on the physical
// cores), and a module of hundreds of launches is as slow as the core that launches them. If both sides
// launch from the same core, in interleaved rounds, the core cancels in their quotient.
//
// Linux, best effort: what the system refuses stays as it was. One thread.
#pragma once

#include <sched.h>
#include <sys/types.h>

#include <optional>
#include <vector>

#include "engine/worker/judge/timing/core_claim.hpp"

namespace ridgeline::judge {

/// Returns the core of `cores` on which fixed work takes the least time now, interruptions included; empty if
/// the calling thread may run on none of them. Moves the calling thread to each for a third of a millisecond,
/// and then back to the cores that it could use before.
std::optional<int> fastest_core(const std::vector<int>& cores);

/// Confines the calling thread, and what it starts, to `cores` while it lives.
class OnCores {
 public:
  explicit OnCores(const std::vector<int>& cores);
  ~OnCores();
  OnCores(const OnCores&) = delete;  // it restores once
  OnCores& operator=(const OnCores&) = delete;

 private:
  std::optional<cpu_set_t> before_;
};

/// A core that two processes share while they are timed.
class SharedCore {
 public:
  SharedCore() = default;
  ~SharedCore() { give_back(); }
  SharedCore(const SharedCore&) = delete;  // it gives back once
  SharedCore& operator=(const SharedCore&) = delete;

  /// Moves the first threads of `processes` to the fastest core that no other judge of this host has claimed,
  /// or to the fastest of all if all are claimed; the calling thread keeps off it. A core from an earlier
  /// call is given back first. No-op if the caller has a single core. Ids below 1 are skipped.
  void move(const std::vector<pid_t>& processes);
  /// Lets all processes and the calling thread run on every core again. No-op if there is nothing to give
  /// back.
  void give_back();
  /// The shared core; empty if there is none.
  std::optional<int> core() const { return core_; }

 private:
  std::optional<int> core_;
  std::optional<CoreClaim> claim_;
  std::optional<OnCores> others_;
  std::vector<pid_t> moved_;
};

}  // namespace ridgeline::judge
