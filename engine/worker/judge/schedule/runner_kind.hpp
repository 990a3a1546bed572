// The kinds of runners, by what they load and whether their calls can be counted.
#pragma once

#include <cstddef>
#include <string_view>

#include "engine/core/candidate.hpp"

namespace ridgeline::judge {

enum class RunnerKind {
  library,         ///< loads a shared library
  python,          ///< an interpreter with torch, loads a job (languages torch and triton)
  counting,        ///< loads a shared library; hardware counters of its calls can be read
  python_counting  ///< an interpreter whose calls can be counted
};
inline constexpr std::size_t kRunnerKinds = 4;

/// The kind that runs candidates of `language` where nothing is counted.
RunnerKind runner_kind(Language language);
/// The kind whose calls can be counted, for the same candidates.
RunnerKind counting_kind(RunnerKind kind);
/// "library", "python counting", …: for logs and tests.
std::string_view name_of(RunnerKind kind);

}  // namespace ridgeline::judge
