// What differs between judging on a CPU and on a GPU: where slots lie, where the reference runs, whose clock
// says what, and what the runner may touch. Everything else of the judge is the same for both.
//
// One object a judge, one thread.
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
  std::optional<std::filesystem::path> library;  ///< CUPTI's
  std::string why_not;                           ///< "" where nothing is known to forbid it
  MultiprocessorLimits limits;
};

class Backend {
 public:
  virtual ~Backend() = default;

  /// "cpu" or "cuda".
  virtual std::string name() const = 0;
  /// What verdicts call it: "AMD EPYC, 1 thread", "NVIDIA H200".
  virtual std::string device() const = 0;
  virtual bool runs(Language language) const = 0;
  /// Its device, counters, ceilings and shortfalls.
  virtual void describe(protocol::Described& described) const = 0;

  /// What a runner for this backend is started with, over the judge's own settings.
  virtual void adapt(RunnerSettings& settings) = 0;
  virtual std::unique_ptr<Arena> make_arena(const Task& task, const Case& one, std::size_t slots) = 0;
  /// Slots that a timing arena of this case should have: enough for batches well above a wake-up's jitter,
  /// within a cap on memory; three at least.
  virtual std::size_t timing_slots(const Task& task, const PreparedCase& one) const = 0;

  /// Whether one set of arguments is so large that nothing of a case may be kept beside what is at hand:
  /// expectations are then derived anew for each candidate, and one slot must do where two are wanted.
  virtual bool lean(const Task&, const Case&) const { return false; }

  /// How samples are taken here, within `cap` seconds of timed windows a case.
  virtual SamplingLimits sampling(double cap) const = 0;
  /// Bytes that prepared tasks may hold, their slots among them.
  virtual std::size_t task_memory() const = 0;

  /// Whether a runner that starts meanwhile would be seen in what is timed.
  virtual bool starts_disturb() const { return true; }

  /// Whether the judge can go on at all: an error of its own on a GPU leaves a context in which nothing
  /// works.
  virtual bool sound() const { return true; }
  /// What the judge keeps of the device's memory for itself, and does not use just now, goes back.
  virtual void give_back_memory() {}
  /// Bytes of the device's memory that nobody holds; 0 where there is no device.
  virtual double free_memory() { return 0; }

  /// The task's reference, running where candidates do. Throws BadInput naming the task, MachineCannot where
  /// it is a module and nothing here runs those.
  virtual std::unique_ptr<const verifier::Reference> make_reference(const Task& task) = 0;
  /// Of a module: with the weights that KernelBench gives it (oracle_process.hpp), known to everybody.
  virtual std::unique_ptr<const verifier::Reference> make_kernelbench_reference(const Task& task) = 0;
  /// Begins to start what runs the references of modules. Throws MachineCannot where nothing does.
  virtual void expect_modules() {}
  /// Waits until what the reference was asked for is done.
  virtual void finish_reference() const = 0;
  /// "eager LibTorch 2.11.0, 1 thread, float32".
  virtual std::string baseline_name(const Task& task) const = 0;

  /// Seconds until the device has done the least thing for the judge; 0 where there is none.
  virtual double settle() { return 0; }
  /// The device's clock just now, Hz; 0 where it keeps none of its own.
  virtual double clock() { return 0; }
  /// What it would tell of itself under load, for people: "71 °C, clocks held back by power cap"; "" if
  /// nothing.
  virtual std::string trouble() { return {}; }
  /// Whether batches can be replayed as graphs.
  virtual bool replays() const { return false; }
  /// Joules that it has drawn so far, by a counter that moves now and then; empty where it has none. From any
  /// thread.
  virtual std::optional<double> joules() const { return std::nullopt; }
  /// From batches to the time of a call, by the clocks that this backend has.
  virtual Evidence weigh(const std::vector<BatchPair>& pairs, const Overhead& overhead) const = 0;
  /// Of one pair, by the whole of both its windows, with the CPU time used outside them where that computes.
  virtual double seconds_a_call(const BatchPair& pair, const Overhead& overhead) const = 0;
  /// The same by the difference of its windows, by the same clock.
  virtual double slope_a_call(const BatchPair& pair) const = 0;
  /// Measured at the first call.
  virtual const Ceilings& ceilings() = 0;
  /// Looks whether they are higher than they seemed, where a busy machine may have lowered them; they change
  /// in place. `exceeded`: a candidate reached them, so that they cannot be right. Nothing is timed
  /// meanwhile.
  virtual void look_at_ceilings_again([[maybe_unused]] bool exceeded) {}
  /// Bytes a second that no honest kernel exceeds.
  virtual double theoretical_bandwidth() = 0;
  /// Empty where a runner's counters are read from outside (profiler/perf_counters.hpp).
  virtual std::optional<DeviceCounting> counting() const { return std::nullopt; }
};

}  // namespace ridgeline::judge
