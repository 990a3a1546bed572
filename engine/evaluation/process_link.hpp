// A worker as a child process: its own process group, a clean environment, frames over its stdin and stdout.
#pragma once

#include "engine/evaluation/launcher.hpp"
#include "engine/evaluation/worker_link.hpp"

namespace boost::asio {
class io_context;
}

namespace ridgeline::evaluation {

/// Starts `command` for every worker. SIGPIPE is ignored from then on (process-wide, unless a handler is
/// set). A worker whose parent is killed sees its input end, and ends.
StartLink process_links(boost::asio::io_context& io, WorkerCommand command);

}  // namespace ridgeline::evaluation
