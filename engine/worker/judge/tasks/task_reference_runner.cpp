#include "engine/worker/judge/tasks/task_reference_runner.hpp"

#include <stdexcept>
#include <utility>

namespace ridgeline::judge {

void TaskReferenceRunner::started(std::unique_ptr<RunnerProcess> process) {
  if (is_alive()) throw std::logic_error("a reference runner was started beside one that lives");
  process_ = std::move(process);
  warm_ = false;
  how_ended_.clear();
}

void TaskReferenceRunner::ended(std::string how) {
  how_ended_ = std::move(how);
  process_.reset();
}

}  // namespace ridgeline::judge
