// How strongly a child program is confined, and what this machine can offer of it.
//
//   none      limits, a process group, no inherited environment
//   standard  and Landlock (files), seccomp (system calls), an inescapable process group
//   strict    and new user, pid, net, ipc, mount and uts namespaces with a minimal read-only view
//
// The level in force stands in every result. A campaign that asks for more than the machine offers is
// refused before anything is spent; nothing is lowered silently.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "engine/core/names.hpp"

namespace ridgeline::sandbox {

enum class Isolation { none, standard, strict };  // in rising order

constexpr auto enum_names(Isolation) {
  return std::to_array<Name<Isolation>>(
      {{Isolation::none, "none"}, {Isolation::standard, "standard"}, {Isolation::strict, "strict"}});
}

/// One thing that a level needs and this machine did not give.
struct Shortfall {
  std::string what;    // "user namespace"
  std::string reason;  // the call that failed and its error
  std::string mend;    // what to do about it
};

/// What this machine offers, found by real trials (a real clone, a real mount, a real filter).
struct IsolationProbe {
  int landlock_abi = 0;             // 0: no Landlock
  std::vector<Shortfall> standard;  // what `standard` lacks here; empty: it is offered
  std::vector<Shortfall> strict;    // what `strict` lacks beyond that
};

/// Tries everything out. Takes some 10 ms; from any thread. Ask once and keep the answer.
IsolationProbe probe_isolation();

Isolation best_level(const IsolationProbe& probe);

/// Throws MachineCannot naming each thing that is missing, its mend, and the key that allows less.
void require_isolation(Isolation asked, const IsolationProbe& probe);

/// One line a shortfall, for `ridgeline doctor`; empty where `strict` is offered.
std::string describe(const IsolationProbe& probe);

}  // namespace ridgeline::sandbox
