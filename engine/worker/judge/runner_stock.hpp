// Runners started ahead, so that their start is over when the next candidate needs them: one of the kind that
// was wanted last, and one whose calls are counted where the last candidates came that far. One thread.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "engine/core/candidate.hpp"
#include "engine/worker/judge/runner_process.hpp"

namespace ridgeline::judge {

inline constexpr const char* no_python =
    "no Python with torch on this machine: install torch, or let RIDGELINE_PYTHON name a Python that has it";

enum class RunnerKind {
  library,         ///< loads a shared library
  python,          ///< an interpreter with torch, loads a job (languages torch and triton)
  counting,        ///< loads a shared library; hardware counters of its calls can be read
  python_counting  ///< an interpreter whose calls can be counted
};
RunnerKind runner_kind(Language language);
/// The kind whose calls can be counted, for the same candidates.
RunnerKind counting_kind(RunnerKind kind);

class RunnerStock {
 public:
  /// `cupti`: by which library calls are counted; empty where they are not.
  RunnerStock(RunnerSettings library, std::optional<RunnerSettings> python,
              const std::optional<std::filesystem::path>& cupti);

  /// One that is up. Throws MachineCannot: it cannot be started, or there is no such interpreter.
  std::unique_ptr<RunnerProcess> take(RunnerKind kind);
  /// Starts what the last candidate took, unless it stands ready; call while nobody waits.
  void warm_up();

  /// Throws MachineCannot where there is no interpreter, or nothing to count with.
  const RunnerSettings& settings(RunnerKind kind) const;

 private:
  struct Kind {
    std::optional<RunnerSettings> settings;
    bool wanted = false;  ///< by the candidates of late
    std::unique_ptr<RunnerProcess> warm;
  };
  Kind& of(RunnerKind kind) { return kinds_[static_cast<std::size_t>(kind)]; }

  std::array<Kind, 4> kinds_;  // of each RunnerKind
};

}  // namespace ridgeline::judge
