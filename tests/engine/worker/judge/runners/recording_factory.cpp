#include "tests/engine/worker/judge/runners/recording_factory.hpp"

#include <fmt/format.h>

#include <utility>

#include "engine/core/error.hpp"

namespace ridgeline::judge {

class RecordingFactory::Fake final : public PooledRunner {
 public:
  Fake(RecordingFactory& factory, std::string name, std::shared_ptr<FakeRunner> state, bool interpreter,
       bool barrier)
      : factory_(factory),
        name_(std::move(name)),
        state_(std::move(state)),
        interpreter_(interpreter),
        barrier_(barrier) {}

  bool interpreter() const override { return interpreter_; }
  bool at_barrier() override { return barrier_ && state_->imported && !state_->open; }
  bool past_barrier() const override { return !barrier_ || state_->open; }
  void open_barrier() override {
    state_->open = true;
    record("open the device for");
  }
  void await_ready() override {
    if (barrier_) state_->open = true;
    record("await");
    if (!state_->comes_up) throw MachineCannot(name_ + " did not start");
  }
  void measure_overhead() override { record("measure"); }
  bool alive() const override { return state_->alive; }
  std::shared_ptr<void> pause() override {
    record("pause");
    return {nullptr, [this](void*) { record("continue"); }};
  }
  void stop() override {
    state_->stopped = true;
    record("stop");
  }

 private:
  void record(const char* what) { factory_.record(fmt::format("{} {}", what, name_)); }

  RecordingFactory& factory_;
  std::string name_;
  std::shared_ptr<FakeRunner> state_;
  bool interpreter_, barrier_;
};

void RecordingFactory::require(RunnerKind kind) const {
  if (missing == kind) throw MachineCannot(fmt::format("no {} here", name_of(kind)));
}

bool RecordingFactory::opens_device(RunnerKind kind) const {
  require(kind);
  return opens_device_;
}

std::unique_ptr<PooledRunner> RecordingFactory::start(RunnerKind kind) {
  require(kind);
  if (no_room) throw MachineCannot("no room for another process");
  const auto name = fmt::format("{} {}", name_of(kind), ++started_);
  record("start " + name);
  const bool interpreter = kind == RunnerKind::python || kind == RunnerKind::python_counting;
  auto state = runners_[name] = std::make_shared<FakeRunner>();
  return std::make_unique<Fake>(*this, name, state, interpreter, interpreter && opens_device_);
}

std::vector<std::string> RecordingFactory::log() {
  const std::lock_guard lock(mutex_);
  return std::exchange(lines_, {});
}

void RecordingFactory::record(const std::string& line) {
  const std::lock_guard lock(mutex_);
  lines_.push_back(line);
}

}  // namespace ridgeline::judge
