// A worker as a child process with pipes on its three standard streams; no I/O beyond that.
#pragma once

#include "engine/core/file_descriptor.hpp"
#include "engine/evaluation/launcher.hpp"
#include "engine/posix/child_process.hpp"

namespace ridgeline::evaluation {

struct Spawned {
  posix::ChildProcess process;
  FileDescriptor input, output, errors;  ///< our ends
};

/// Throws MachineCannot if the program is not there or the machine has no more processes or descriptors.
Spawned spawn_worker(const WorkerCommand& command);

}  // namespace ridgeline::evaluation
