#include "engine/worker/judge/schedule/runner_kind.hpp"

#include <array>

namespace ridgeline::judge {

RunnerKind runner_kind(Language language) {
  return traits(language).runtime == Runtime::interpreter ? RunnerKind::python : RunnerKind::library;
}

RunnerKind counting_kind(RunnerKind kind) {
  return kind == RunnerKind::library || kind == RunnerKind::counting ? RunnerKind::counting
                                                                     : RunnerKind::python_counting;
}

std::string_view name_of(RunnerKind kind) {
  constexpr std::array<std::string_view, kRunnerKinds> names{"library", "python", "counting",
                                                             "python counting"};
  return names.at(static_cast<std::size_t>(kind));
}

}  // namespace ridgeline::judge
