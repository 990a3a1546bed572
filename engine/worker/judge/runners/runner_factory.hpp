// How runners are made: the port of their pool, and the factory that starts processes.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <optional>

#include "engine/worker/judge/runners/pooled_runner.hpp"
#include "engine/worker/judge/runners/runner_process.hpp"
#include "engine/worker/judge/schedule/runner_demand.hpp"
#include "engine/worker/judge/schedule/runner_kind.hpp"

namespace ridgeline::judge {

inline constexpr const char* no_python =
    "no Python with torch on this machine: install torch, or let RIDGELINE_PYTHON name a Python that has it";

class RunnerFactory {
 public:
  virtual ~RunnerFactory() = default;

  /// Throws MachineCannot, which says why, if this machine cannot run `kind`.
  virtual void require(RunnerKind kind) const = 0;
  /// Whether runners of `kind` open a device. Throws as `require`.
  virtual bool opens_device(RunnerKind kind) const = 0;
  /// Begins to start a runner; waits for nothing. Throws as `require`, and if no process can be made.
  virtual std::unique_ptr<PooledRunner> start(RunnerKind kind) = 0;
};

/// Starts processes; every PooledRunner that it makes is a RunnerProcess.
class RunnerProcessFactory final : public RunnerFactory {
 public:
  /// `cupti`: the library by which calls are counted; empty where they are not. `cores`: the judge's share of
  /// the machine's; 0: all.
  RunnerProcessFactory(RunnerSettings library, std::optional<RunnerSettings> python,
                       const std::optional<std::filesystem::path>& cupti, unsigned cores = 0);

  void require(RunnerKind kind) const override { settings(kind); }
  bool opens_device(RunnerKind kind) const override { return settings(kind).cuda_device.has_value(); }
  std::unique_ptr<PooledRunner> start(RunnerKind kind) override;

  /// With what runners of `kind` are started. Throws as `require`.
  const RunnerSettings& settings(RunnerKind kind) const;
  RunnerMeans means() const;

 private:
  std::optional<RunnerSettings>& at(RunnerKind kind) { return settings_[static_cast<std::size_t>(kind)]; }

  std::array<std::optional<RunnerSettings>, kRunnerKinds> settings_;  // of each RunnerKind
  unsigned cores_;
};

}  // namespace ridgeline::judge
