// Defines how strongly a child program is confined, and probes what this machine offers.
//
//   none      limits, a process group, no inherited environment
//   standard  also Landlock (files), seccomp (system calls), an inescapable process group
//   strict    also new user, pid, net, ipc, mount and uts namespaces with a minimal read-only view
//
// Every result names the level in force. A campaign that asks for more than the machine offers is refused
// before anything is spent; a level is never lowered silently.
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

/// Names something that a level needs and this machine lacks.
struct Shortfall {
  std::string what;    // "user namespace"
  std::string reason;  // the call that failed and its error
  std::string fix;     // what to do about it
};

/// Holds what this machine offers, as trials showed (a real clone, a real mount, a real filter).
struct IsolationProbe {
  int landlock_abi = 0;             // 0: no Landlock
  std::vector<Shortfall> standard;  // what `standard` lacks here; empty if it is offered
  std::vector<Shortfall> strict;    // what `strict` lacks beyond that
};

/// Tries everything out. Takes about 10 ms; any thread. Call it once and keep the result.
IsolationProbe probe_isolation();

/// Returns the strongest level that the probe found.
Isolation best_level(const IsolationProbe& probe);

/// Names what confines a child at `level`: "Landlock 7; seccomp; process group". Verdicts store it.
std::string isolation_details(Isolation level, const IsolationProbe& probe);

/// Throws MachineCannot if `asked` is not offered. The message names everything that is missing, how to fix
/// it, and the key that accepts a weaker level.
void require_isolation(Isolation asked, const IsolationProbe& probe);

/// Describes each shortfall in a line, for `ridgeline doctor`; empty where `strict` is offered.
std::string describe(const IsolationProbe& probe);

}  // namespace ridgeline::sandbox
