#include "engine/evaluation/spawned.hpp"

#include <unistd.h>

#include <utility>

#include "engine/posix/pipe.hpp"

namespace ridgeline::evaluation {

Spawned spawn_worker(const WorkerCommand& command) {
  auto input = posix::make_pipe(), output = posix::make_pipe(), errors = posix::make_pipe();
  posix::ChildProcess process({
      .words = command.words,
      .environment = protocol::inherited_environment(command.environment),
      .descriptors = {{input.read.get(), STDIN_FILENO},
                      {output.write.get(), STDOUT_FILENO},
                      {errors.write.get(), STDERR_FILENO}},
      .advice = ": is it installed, and in PATH? The launcher is the campaign's worker.launcher",
  });
  // The child's ends are closed here, so that ours end when the child does.
  return {std::move(process), std::move(input.write), std::move(output.read), std::move(errors.read)};
}

}  // namespace ridgeline::evaluation
