// Makes the command line that starts a worker. A launcher is any command that forwards stdin and stdout
// (ssh, srun).
#pragma once

#include <string>
#include <vector>

#include "engine/worker/protocol/environment.hpp"

namespace ridgeline::evaluation {

/// A command line, and whose environment variables it gets: a launcher gets more than a worker, as
/// SSH_AUTH_SOCK.
struct WorkerCommand {
  std::vector<std::string> words;  ///< words[0] is looked up in PATH unless it has a slash
  protocol::EnvironmentFor environment = protocol::EnvironmentFor::worker;
};

/// Returns the command that starts a worker. Without a launcher (no words) it is the `ridgeline-worker`
/// beside this program. With one it is the launcher's words. The path of that worker follows, unless a word
/// is `ridgeline-worker` or a path that ends so, as in ("ssh", "node17", "ridgeline-worker"): a remote
/// machine has a path of its own, while `srun` finds ours on the shared file system. `arguments` are for the
/// worker and come last. Throws as local_worker if its path is needed.
WorkerCommand worker_command(const std::vector<std::string>& launcher,
                             const std::vector<std::string>& arguments = {});

/// Returns the path of the `ridgeline-worker` beside this executable. Throws MachineCannot if none is there
/// that can be executed.
std::string local_worker();

/// Splits a command line as a POSIX shell does: blanks, quotes and backslashes, but no variables and no
/// patterns. A backslash at the very end stands for itself. Throws BadInput for a quote without its end.
/// Returns no words for a line of blanks.
std::vector<std::string> split_command(const std::string& line);

}  // namespace ridgeline::evaluation
