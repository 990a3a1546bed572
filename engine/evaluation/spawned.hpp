// A child process with pipes on its three standard streams; no I/O beyond that.
#pragma once

#include <string>
#include <vector>

#include "engine/evaluation/launcher.hpp"

namespace ridgeline::evaluation {

/// Descriptors are the caller's to close: all are close-on-exec, none is inherited by a later child.
struct Spawned {
  int pid = -1;    ///< also its process group
  int pidfd = -1;  ///< readable once it has ended
  int input = -1, output = -1, errors = -1;
};

/// Throws MachineCannot if the program is not there or the machine has no more processes or descriptors.
Spawned spawn_worker(const WorkerCommand& command);

/// After its end: "exit status 3", "killed by signal 9".
std::string reap(int pid);

}  // namespace ridgeline::evaluation
