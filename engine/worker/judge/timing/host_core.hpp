// One core of the host for both sides of a comparison.
//
// Two processes that did the same work on cores of one virtual machine took up to 1.8 times as long as each
// other, for tenths of a second to seconds (measured: docs/measurements.md; taken
// for what others do on the physical cores), and a module of hundreds of launches is as slow as the core that
// launches them. Where both sides launch from the same core, in turns, that falls out of their quotient.
// Linux; best effort: what the system refuses stays as it was.
#pragma once

#include <sched.h>
#include <sys/types.h>

#include <optional>
#include <vector>

#include "engine/worker/judge/timing/core_claim.hpp"

namespace ridgeline::judge {

/// Of `cores` the one on which fixed work takes least just now, with all that takes time from it. The calling
/// thread visits each for a third of a millisecond, and is then where it may have been before. Empty where it
/// may visit none.
std::optional<int> quickest_core(const std::vector<int>& cores);

/// While it lives, the calling thread and what it starts run on `cores` alone.
class OnCores {
 public:
  explicit OnCores(const std::vector<int>& cores);
  ~OnCores();
  OnCores(const OnCores&) = delete;  // it restores once
  OnCores& operator=(const OnCores&) = delete;

 private:
  std::optional<cpu_set_t> before_;
};

/// The first threads of processes on the quickest core that no other judge of this host has claimed, until
/// this ends or chooses anew. Meanwhile the calling thread keeps off that core. Where all are claimed it is
/// the quickest. Nothing where the caller has a single one.
class SharedCore {
 public:
  SharedCore() = default;
  ~SharedCore() { give_back(); }
  SharedCore(const SharedCore&) = delete;  // it gives back once
  SharedCore& operator=(const SharedCore&) = delete;

  /// Chooses anew.
  void move(const std::vector<pid_t>& processes);
  /// All may run everywhere again.
  void give_back();
  std::optional<int> core() const { return core_; }

 private:
  std::optional<int> core_;
  std::optional<CoreClaim> claim_;
  std::optional<OnCores> others_;
  std::vector<pid_t> moved_;
};

}  // namespace ridgeline::judge
