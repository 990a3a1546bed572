#include "engine/worker/judge/memory_shortage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "engine/core/out_of_memory.hpp"
#include "engine/core/short_number.hpp"
#include "engine/verifier/on_device.hpp"
#include "engine/verifier/script_error.hpp"
#include "engine/worker/judge/schedule/memory_levels.hpp"
#include "profiler/cpu_info.hpp"

namespace ridgeline::judge {
namespace {

constexpr double kMostDivisor = 1024;

void forget_what_follows(Verdict& verdict) {
  for (const auto stage : {Stage::correctness, Stage::timing, Stage::profile}) verdict.at(stage) = {};
  verdict.faithful_correct = false;
}

}  // namespace

void not_judged(Reason reason, const std::string& why, Verdict& verdict) {
  forget_what_follows(verdict);
  verdict.at(Stage::call) = {.status = Status::unavailable, .reason = reason, .detail = why};
}

std::string offered_scale(const Task& task, std::optional<double> needed, double available) {
  if (!task.module || answers_with_function(task)) return "";
  double divisor = 2;
  if (needed) {
    // Weights keep their size, whatever the scale.
    const double state = static_cast<double>(state_bytes(task));
    if (available <= state) return "";
    while (divisor < kMostDivisor && (*needed - state) / divisor > available - state) divisor *= 2;
  }
  const auto& scale = task.module->scale;
  if (scale.starts_with("1/")) divisor *= std::strtod(scale.c_str() + 2, nullptr);
  return fmt::format("; smaller shapes may fit: --scale 1/{:.0f} (`scale` of a campaign's suite)", divisor);
}

void does_not_fit(const std::string& why, const Task& task, Verdict& verdict) {
  const bool offers = why.find("--scale") != std::string::npos;
  not_judged(Reason::memory_limit,
             "the task does not fit this machine: " + why + (offers ? "" : offered_scale(task, {}, 0)),
             verdict);
}

void must_fit(const Task& task, bool final_cases) {
  if (task.module) return;  // another process computes it, and says what it takes
  const double machine = profiler::total_memory();
  for (const auto& one : task.cases) {
    if (one.final && !final_cases) continue;
    double bytes = 0;
    for (const auto* tensor : task.tensors()) {
      const auto elements = static_cast<double>(element_count(*tensor, one.sizes));
      const auto size = static_cast<double>(size_of(tensor->dtype));
      const double wide = is_complex(tensor->dtype) ? 16 : is_floating(tensor->dtype) ? 8 : size;
      const bool tolerant = tensor->role != Role::in && !std::holds_alternative<Exact>(task.contract);
      bytes +=
          elements * (size + (tolerant ? 3 : 1) * wide);  // tolerance, and the outputs that it is made from
    }
    if (bytes > machine)
      throw OutOfMemory(
          fmt::format("case '{}' takes {} GB at least, and this machine has {} GB: give smaller sizes, or "
                      "judge it on a larger machine",
                      one.name, short_number(bytes * 1e-9), short_number(machine * 1e-9)));
  }
}

void must_fit_device(const Task& task, const JudgedCases& cases, double device_bytes) {
  constexpr double kGiB = 1 << 30;
  for (const auto& one : task.cases) {
    if (one.final ? !cases.final : one.hidden && !cases.hidden) continue;
    double inputs = 0, outputs = 0;
    for (const auto* tensor : task.tensors()) {
      const auto bytes = static_cast<double>(byte_count(*tensor, one.sizes));
      if (tensor->state.empty() && tensor->role != Role::out) inputs += bytes;
      if (tensor->role != Role::in) outputs += bytes;
    }
    const double state = static_cast<double>(state_bytes(task));
    const double kept = verifier::judged_on_device(task) ? 1 : 0;  // else on the host
    const double call = (1 + kept) * (inputs + outputs) + state;
    const double timing =
        cases.timed && one.timed && !one.final ? 3 * (inputs + outputs) + kept * outputs + state : 0;
    if (std::max(call, timing) <= device_bytes) continue;
    throw OutOfMemory(
        fmt::format("case '{}' takes {:.1f} GiB at least ({}), and the device has {:.1f} GiB: judge it on a "
                    "larger one{}{}",
                    one.name, std::max(call, timing) / kGiB,
                    timing > call ? "three slots of timed calls beside a copy of outputs"
                                  : "a call's buffers beside its inputs and a copy of its outputs",
                    device_bytes / kGiB, timing > call && call <= device_bytes ? ", or without timing" : "",
                    offered_scale(task, std::max(call, timing), device_bytes)));
  }
}

std::optional<std::string> shortage_in(const std::exception& error) {
  const auto bytes = verifier::read_script_error(error.what()).bytes;
  if (!bytes) return std::nullopt;
  return fmt::format("{} GB were asked for at once; give smaller sizes", short_number(*bytes * 1e-9));
}

bool took_the_memory(const PreparedTask& prepared, RunnerProcess& runner, Verdict& verdict) {
  auto& memory = prepared.backend().memory();
  // An honest interpreter keeps what a few outputs and intermediates of its largest case took.
  double honest = 0;
  for (const auto& one : prepared.task().cases)
    if (memory.needs_streaming(prepared.task(), one))
      honest = std::max(honest, 4.0 * static_cast<double>(slot_bytes(prepared.task(), one)));
  // Only the end of the process shows what it held: drivers do not say it of another process.
  const double before = memory.free_bytes();
  if (before > little_memory) return false;
  runner.finish();
  const double held = memory.free_bytes() - before;
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
