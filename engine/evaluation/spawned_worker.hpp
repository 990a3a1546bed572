// Starts a worker as a child process with pipes on its three standard streams. No I/O beyond that.
#pragma once

#include "engine/core/file_descriptor.hpp"
#include "engine/evaluation/launcher.hpp"
#include "engine/posix/child_process.hpp"

namespace ridgeline::evaluation {

/// A child process with our ends of its pipes.
struct SpawnedWorker {
  posix::ChildProcess process;
  FileDescriptor input, output, errors;  ///< our ends: of stdin to write, of stdout and stderr to read
};

/// Starts the worker. Throws MachineCannot if the program does not exist or the machine has no more processes
/// or file descriptors.
SpawnedWorker spawn_worker(const WorkerCommand& command);

}  // namespace ridgeline::evaluation
