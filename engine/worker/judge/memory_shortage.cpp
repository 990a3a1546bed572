#include "engine/worker/judge/memory_shortage.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline::judge {
namespace {

void forget_what_follows(Verdict& verdict) {
  for (const auto stage : {Stage::correctness, Stage::timing, Stage::profile}) verdict.at(stage) = {};
  verdict.faithful_correct = false;
}

}  // namespace

void not_judged(Reason reason, const std::string& why, Verdict& verdict) {
  forget_what_follows(verdict);
  verdict.at(Stage::call) = {.status = Status::unavailable, .reason = reason, .detail = why};
}

void does_not_fit(const std::string& why, Verdict& verdict) {
  not_judged(Reason::memory_limit, "the task does not fit this machine: " + why, verdict);
}

bool took_the_memory(const PreparedTask& prepared, RunnerProcess& runner, Verdict& verdict) {
  auto& backend = prepared.backend();
  double honest = 0;  // an interpreter keeps what a few outputs and intermediates took
  for (const auto& one : prepared.task().cases)
    if (backend.lean(prepared.task(), one))
      honest = std::max(honest, 4.0 * static_cast<double>(slot_bytes(prepared.task(), one)));
  const double before = backend.free_memory();
  if (before > little_memory) return false;
  runner.finish();
  const double held = backend.free_memory() - before;
  if (held < little_memory + honest) return false;
  forget_what_follows(verdict);
  verdict.at(Stage::call) = {
      .status = Status::failed,
      .reason = Reason::memory_limit,
      .detail =
          fmt::format("its process held {:.0f} GiB of the device's memory, which left the judge too little; "
                      "ask for a workspace in place of allocating",
                      held / (1 << 30))};
  return true;
}

}  // namespace ridgeline::judge
