// Runners started ahead: one of the kind that was wanted last, so that its start is over when the next
// candidate needs it. One thread.
#pragma once

#include <memory>
#include <optional>

#include "engine/core/candidate.hpp"
#include "engine/worker/judge/runner_process.hpp"

namespace ridgeline::judge {

inline constexpr const char* no_python =
    "no Python with torch on this machine: install torch, or let RIDGELINE_PYTHON name a Python that has it";

enum class RunnerKind {
  library,  ///< loads a shared library
  python    ///< an interpreter with torch, loads a job (languages torch and triton)
};
RunnerKind runner_kind(Language language);

class RunnerStock {
 public:
  RunnerStock(RunnerSettings library, std::optional<RunnerSettings> python)
      : library_(std::move(library)), python_(std::move(python)) {}

  /// One that is up. Throws MachineCannot: it cannot be started, or there is no such interpreter.
  std::unique_ptr<RunnerProcess> take(RunnerKind kind);
  /// Starts one of the kind taken last, unless it stands ready; call while nobody waits.
  void warm_up();

  /// Throws MachineCannot where there is no interpreter.
  const RunnerSettings& settings(RunnerKind kind) const;

 private:
  RunnerSettings library_;
  std::optional<RunnerSettings> python_;
  RunnerKind last_ = RunnerKind::library;
  RunnerKind warm_kind_ = RunnerKind::library;
  std::unique_ptr<RunnerProcess> warm_;
};

}  // namespace ridgeline::judge
