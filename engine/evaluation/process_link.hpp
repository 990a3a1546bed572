// Runs a worker as a child process: in a process group and a clean environment, with frames over its stdin
// and stdout.
#pragma once

#include "engine/evaluation/launcher.hpp"
#include "engine/evaluation/worker_link.hpp"

namespace boost::asio {
class io_context;
}

namespace ridgeline::evaluation {

/// Returns a function that starts `command` for each worker. From then on SIGPIPE is ignored in this process,
/// unless it has a handler: a worker that died must not end the engine by a write. A worker whose parent is
/// killed sees its input end, and ends.
StartLink process_links(boost::asio::io_context& io, WorkerCommand command);

}  // namespace ridgeline::evaluation
