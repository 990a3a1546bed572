// Hides what differs between judging on a CPU and on a GPU: which languages run, what a runner may touch, and
// four ports: where buffers lie, where references run, how times are weighed, what the hardware says of
// itself. The rest of the judge is the same for both.
//
// A judge owns one backend and uses it from one thread, but for `Telemetry::joules`. Whoever needs one port
// takes that port, not the backend.
#pragma once

#include <string>

#include "engine/core/candidate.hpp"
#include "engine/worker/judge/runners/runner_process.hpp"
#include "engine/worker/judge/tasks/clock_model.hpp"
#include "engine/worker/judge/tasks/device_memory.hpp"
#include "engine/worker/judge/tasks/references.hpp"
#include "engine/worker/judge/tasks/telemetry.hpp"
#include "engine/worker/protocol/messages.hpp"

namespace ridgeline::judge {

class Backend {
 public:
  virtual ~Backend() = default;

  /// Returns "cpu" or "cuda".
  virtual std::string name() const = 0;
  /// Returns what verdicts call the device: "AMD EPYC, 1 thread", "NVIDIA H200".
  virtual std::string device() const = 0;
  /// Returns whether candidates in this language can run here.
  virtual bool runs(Language language) const = 0;
  /// Adds its devices, counters, ceilings and shortfalls.
  virtual void describe(protocol::Described& described) const = 0;
  /// Changes the judge's own settings of runners to what this backend needs.
  virtual void configure_runner(RunnerSettings& settings) = 0;

  // The ports, owned by the backend.
  virtual DeviceMemory& memory() = 0;
  virtual References& references() = 0;
  virtual const ClockModel& clocks() const = 0;
  virtual Telemetry& telemetry() = 0;
};

}  // namespace ridgeline::judge
