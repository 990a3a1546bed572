#include "engine/worker/judge/runners/reference_runner.hpp"

#include <fmt/format.h>

#include <fstream>

#include "engine/core/error.hpp"
#include "engine/worker/judge/runners/call_failure.hpp"
#include "engine/worker/judge/runners/runner_limits.hpp"
#include "engine/worker/protocol/torch_job.hpp"

namespace ridgeline::judge {

std::unique_ptr<RunnerProcess> start_reference(const Task& task, RunnerPool& runners,
                                               const std::filesystem::path& scratch) {
  auto described = protocol::torch_job(task, "Model", task.reference, "reference.py");
  described.in_place = true;
  const auto job = scratch / "reference.json";
  {
    std::ofstream file(job, std::ios::binary);
    file << protocol::to_json(described);
    if (!file.flush())
      throw MachineCannot(job.string() +
                          " cannot be written: free some disk, or let TMPDIR name another folder");
  }
  auto runner = take_process(runners, RunnerKind::python);
  const auto loaded = runner->load(job, runner_limits::load_module, state_bytes(task));
  std::filesystem::remove(job);
  const auto* reply = std::get_if<runner::Reply>(&loaded);
  if (reply && reply->answer == runner::Answer::ok) return runner;
  throw BadInput(fmt::format("task '{}': its reference cannot be run as a candidate: {}", task.name,
                             reply ? explain_refusal(*reply, true).detail
                                   : sandbox::describe(std::get<RunnerExit>(loaded).outcome)));
}

}  // namespace ridgeline::judge
