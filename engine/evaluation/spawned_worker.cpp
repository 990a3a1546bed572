#include "engine/evaluation/spawned_worker.hpp"

#include <unistd.h>

#include <utility>

#include "engine/posix/pipe.hpp"

namespace ridgeline::evaluation {

SpawnedWorker spawn_worker(const WorkerCommand& command) {
  // Close-on-exec, so that no other child of this program inherits the ends and keeps them open.
  auto input = posix::make_pipe(), output = posix::make_pipe(), errors = posix::make_pipe();
  posix::ChildProcess process({
      .words = command.words,
      .environment = protocol::inherited_environment(command.environment),
      .descriptors = {{input.read.get(), STDIN_FILENO},
                      {output.write.get(), STDOUT_FILENO},
                      {errors.write.get(), STDERR_FILENO}},
      .advice = ": is it installed, and in PATH? The launcher is the campaign's worker.launcher",
  });
  // The child's ends are closed on return, so that ours see an end when the child dies.
  return {std::move(process), std::move(input.write), std::move(output.read), std::move(errors.read)};
}

}  // namespace ridgeline::evaluation
