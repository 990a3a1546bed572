#include "engine/worker/judge/runner_stock.hpp"

#include <utility>

#include "engine/core/error.hpp"

namespace ridgeline::judge {

RunnerKind runner_kind(Language language) {
  return language == Language::torch || language == Language::triton ? RunnerKind::python
                                                                     : RunnerKind::library;
}

const RunnerSettings& RunnerStock::settings(RunnerKind kind) const {
  if (kind == RunnerKind::library) return library_;
  if (!python_) throw MachineCannot(no_python);
  return *python_;
}

std::unique_ptr<RunnerProcess> RunnerStock::take(RunnerKind kind) {
  last_ = kind;
  // One that died while it waited must not be blamed on the candidate.
  if (!warm_ || warm_kind_ != kind || !warm_->alive()) return std::make_unique<RunnerProcess>(settings(kind));
  return std::move(warm_);
}

void RunnerStock::warm_up() {
  if (warm_ && warm_kind_ == last_ && warm_->alive()) return;
  warm_.reset();
  warm_ = std::make_unique<RunnerProcess>(settings(last_));
  warm_kind_ = last_;
}

}  // namespace ridgeline::judge
