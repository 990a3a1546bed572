// Makes the command line that starts a worker. A launcher is any command that forwards stdin and stdout
// (ssh, srun).
#pragma once

#include <string>
#include <vector>

#include "engine/worker/protocol/environment.hpp"

namespace ridgeline::evaluation {

/// A command line and the environment variables it gets.
struct WorkerCommand {
  std::vector<std::string> words;  ///< words[0] is looked up in PATH unless it has a slash
  protocol::EnvironmentFor environment = protocol::EnvironmentFor::worker;
};

/// Returns the command that starts a worker. Without a launcher it is the `ridgeline-worker` beside this
/// program. With one it is the launcher's words; the path of that worker follows, unless one of them names a
/// `ridgeline-worker` already, as in ("ssh", "node17", "ridgeline-worker"): a remote machine has a path of
/// its own, while `srun` finds ours on the shared file system. `arguments` are for the worker and come last.
WorkerCommand worker_command(const std::vector<std::string>& launcher,
                             const std::vector<std::string>& arguments = {});

/// Returns the path of the `ridgeline-worker` beside this executable. Throws MachineCannot if it is not
/// there.
std::string local_worker();

/// Splits a command line as a POSIX shell does: blanks, quotes and backslashes, but no variables and no
/// patterns. Throws BadInput for a quote without its end.
std::vector<std::string> split_command(const std::string& line);

}  // namespace ridgeline::evaluation
