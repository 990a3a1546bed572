// How a worker is started. Any command line that forwards stdin and stdout will do.
#pragma once

#include <string>
#include <vector>

#include "engine/worker/protocol/environment.hpp"

namespace ridgeline::evaluation {

struct WorkerCommand {
  std::vector<std::string> words;  ///< words[0] is looked up in PATH unless it has a slash
  protocol::EnvironmentFor environment = protocol::EnvironmentFor::worker;
};

/// `launcher` empty: the `ridgeline-worker` beside this program. Else the launcher's command line, with the
/// path of that worker added unless a word already names a `ridgeline-worker` ("ssh", "node17",
/// "ridgeline-worker"): `srun` finds it on the shared file system. `arguments` are the worker's own and come
/// last.
WorkerCommand worker_command(const std::vector<std::string>& launcher,
                             const std::vector<std::string>& arguments = {});

/// The `ridgeline-worker` beside this executable. Throws MachineCannot if it is not there.
std::string local_worker();

/// A command line as a shell would split it: blanks, quotes and backslashes; no variables, no patterns.
/// Throws BadInput on a quote without its end.
std::vector<std::string> split_command(const std::string& line);

}  // namespace ridgeline::evaluation
