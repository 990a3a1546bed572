// What differs between judging on a CPU and on a GPU: where buffers lie, where the reference runs, which
// clocks there are, and what a runner may touch. The rest of the judge is the same for both.
//
// A judge owns one backend and uses it from one thread, but for `joules`.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/candidate.hpp"
#include "engine/core/occupancy.hpp"
#include "engine/core/roofline.hpp"
#include "engine/core/task.hpp"
#include "engine/verifier/reference.hpp"
#include "engine/worker/judge/arenas/arena.hpp"
#include "engine/worker/judge/runners/runner_process.hpp"
#include "engine/worker/judge/sampling/batch_evidence.hpp"
#include "engine/worker/judge/sampling/sampler.hpp"
#include "engine/worker/protocol/messages.hpp"

namespace ridgeline::judge {

class PreparedCase;

/// How the calls of candidates on a device are counted.
struct DeviceCounting {
  std::optional<std::filesystem::path> library;  ///< CUPTI's; empty: it was not found
  std::string why_not;                           ///< why nothing can be counted, if that is known; else ""
  MultiprocessorLimits limits;
};

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
  /// Returns whether a runner that starts meanwhile disturbs what is timed.
  virtual bool starts_disturb() const { return true; }
  /// Returns whether the judge can go on. It cannot after an error of its own on a GPU, which leaves a
  /// context in which nothing works.
  virtual bool sound() const { return true; }

  // Memory.

  /// Makes an arena of `slots` slots for a case. Throws if there is no memory for it.
  virtual std::unique_ptr<Arena> make_arena(const Task& task, const Case& definition, std::size_t slots) = 0;
  /// Returns how many slots a timing arena of the case should have: enough for batches well above a wake-up's
  /// jitter, within a cap on memory; a multiple of three, at least three.
  virtual std::size_t timing_slots(const Task& task, const PreparedCase& prepared_case) const = 0;
  /// Returns whether one set of the case's arguments is so large that its expectations are not kept:
  /// they are computed anew for each candidate, and one slot must do where two are wanted.
  virtual bool needs_streaming(const Task&, const Case&) const { return false; }
  /// Returns the bytes that prepared tasks may hold, their slots included.
  virtual std::size_t task_memory() const = 0;
  /// Gives the device back the memory that this process caches and does not use now.
  virtual void give_back_memory() {}
  /// Returns the bytes of the device's memory that no process holds; 0 without a device.
  virtual double free_memory() { return 0; }

  // References and baselines.

  /// Makes the task's reference, which runs where candidates run. Throws BadInput naming the task, and
  /// MachineCannot if it is a module and nothing here runs those.
  virtual std::unique_ptr<const verifier::Reference> make_reference(const Task& task) = 0;
  /// Makes the reference of a module with the weights that KernelBench gives it (oracle_process.hpp), which
  /// are public. Throws as make_reference.
  virtual std::unique_ptr<const verifier::Reference> make_kernelbench_reference(const Task& task) = 0;
  /// Begins to start the process that runs references of modules, and returns at once. Throws MachineCannot
  /// if nothing here runs those.
  virtual void expect_modules() {}
  /// Waits until the device has done what the reference asked of it.
  virtual void wait_for_reference() const = 0;
  /// Returns what a baseline of the task is called: "eager LibTorch 2.11.0, 1 thread, float32".
  virtual std::string baseline_name(const Task& task) const = 0;

  // Clocks: how times are taken and weighed.

  /// Returns the limits of sampling, for at most `cap` seconds of timed windows a case.
  virtual SamplingLimits sampling(double cap) const = 0;
  /// Turns pairs of batches into the time of a call, by the clocks that this backend has.
  virtual Evidence weigh(const std::vector<BatchPair>& pairs, const Overhead& overhead) const = 0;
  /// Returns seconds a call, from both whole windows of a pair; CPU time outside the windows is added where a
  /// CPU computes.
  virtual double seconds_a_call(const BatchPair& pair, const Overhead& overhead) const = 0;
  /// Returns seconds a call, from the difference of a pair's windows, by the same clock as seconds_a_call.
  virtual double slope_a_call(const BatchPair& pair) const = 0;
  /// Returns whether batches can be replayed as graphs.
  virtual bool replays_graphs() const { return false; }

  // Telemetry and limits of the hardware.

  /// Runs an empty kernel and returns the seconds until it was done, earlier work of others included; 0
  /// without a device.
  virtual double response_seconds() { return 0; }
  /// Returns the device's present clock, Hz; 0 if the device has none of its own.
  virtual double clock_hz() { return 0; }
  /// Says for people whether the device holds its clocks back now: "the device's clocks are held back (power
  /// cap) at 71 °C and 690 W"; "" if not or unknown.
  virtual std::string throttle_note() { return {}; }
  /// Returns the joules that the device has drawn so far, by a counter that moves every now and then; empty
  /// without one. From any thread.
  virtual std::optional<double> joules() const { return std::nullopt; }
  /// Returns the device's ceilings, measured at the first call.
  virtual const Ceilings& ceilings() = 0;
  /// Measures the ceilings again and raises them in place if they were too low: a busy machine may have
  /// lowered them. `exceeded`: a candidate reached them, so they must be too low. Call it while nothing is
  /// timed.
  virtual void remeasure_ceilings([[maybe_unused]] bool exceeded) {}
  /// Returns the bytes a second that no honest kernel exceeds.
  virtual double theoretical_bandwidth() = 0;
  /// Returns how calls are counted; empty if counters of a runner are read from outside
  /// (profiler/perf_counters.hpp).
  virtual std::optional<DeviceCounting> counting() const { return std::nullopt; }
};

}  // namespace ridgeline::judge
