// A factory of runners without processes: it records what the pool does with each, and a test says how far
// each has come.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/worker/judge/runners/runner_factory.hpp"

namespace ridgeline::judge {

/// How far a runner has come, as the test decides. The record outlives the runner.
struct FakeRunner {
  bool imported = false;  ///< it has reached the barrier, if it has one
  bool comes_up = true;
  bool alive = true;
  bool open = false;  ///< it was let through the barrier
  bool stopped = false;
};

class RecordingFactory final : public RunnerFactory {
 public:
  explicit RecordingFactory(bool opens_device = true) : opens_device_(opens_device) {}

  void require(RunnerKind kind) const override;
  bool opens_device(RunnerKind kind) const override;
  std::unique_ptr<PooledRunner> start(RunnerKind kind) override;

  /// Finds a runner by its name: "python 2" is an interpreter and the second runner that was started.
  FakeRunner& runner(const std::string& name) { return *runners_.at(name); }
  /// Returns the lines that were recorded since the last call of this.
  std::vector<std::string> log();

  std::optional<RunnerKind> missing;  ///< this machine cannot run that kind
  bool no_room = false;               ///< no process can be started

 private:
  class Fake;
  void record(const std::string& line);

  bool opens_device_;
  int started_ = 0;
  std::map<std::string, std::shared_ptr<FakeRunner>> runners_;
  std::mutex mutex_;  // of the log: ends run on threads of the pool
  std::vector<std::string> lines_;
};

}  // namespace ridgeline::judge
