#include "engine/worker/languages/torch_answer/answer_modules.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace ridgeline::torch_answer {
namespace {

constexpr int kMostRounds = 5;  // each but the first follows a failure that the answer caught

const languages::BuildFailure* failure(const MadeModule& module) {
  return std::get_if<languages::BuildFailure>(&module.result);
}

FailedModules failed_of(const std::vector<MadeModule>& made) {
  FailedModules failed;
  for (const auto& module : made)
    if (failure(module)) failed[module.key] = error_of(module);
  return failed;
}

}  // namespace

std::variant<AnswerModules, languages::BuildFailure> make_modules(const RecordAnswer& record,
                                                                  const MakeModule& make) {
  AnswerModules modules;
  auto& made = modules.made;
  for (int round = 0; round < kMostRounds; ++round) {
    const auto failed = failed_of(made);
    const auto recording = record(failed);
    modules.recorded = recording.end;
    const auto before = made.size();
    for (const auto& asked : recording.asked)
      if (std::ranges::find(made, asked.key, &MadeModule::key) == made.end()) made.push_back(make(asked));
    for (const auto& module : made)  // no fault of the answer's, which must not be asked to go on without it
      if (const auto* why = failure(module); why && why->reason == Reason::compiler_missing) return *why;
    if (failed_of(made).size() > failed.size()) continue;  // how does the answer take that?
    if (failed.empty() || recording.end == Recording::End::done || made.size() > before) return modules;
    break;
  }
  return *failure(*std::ranges::find_if(made, failure));
}

std::string note_of(const AnswerModules& modules) {
  const std::string end =
      modules.recorded == Recording::End::raised ? "; the answer raised while it was recorded"
      : modules.recorded == Recording::End::died ? "; the answer ended while it was recorded"
                                                 : "";
  if (modules.made.empty()) return "asks for no module" + end;
  std::size_t slim = 0, real = 0, failed = 0, cached = 0;
  double seconds = 0;
  for (const auto& module : modules.made) {
    const auto* built = std::get_if<languages::BuildArtefact>(&module.result);
    failed += !built;
    (module.real_headers ? real : slim) += built != nullptr;
    if (built) cached += built->cached;
    if (built) seconds += built->cpu_seconds;
  }
  auto note = fmt::format("{} module{}:", modules.made.size(), modules.made.size() == 1 ? "" : "s");
  const char* between = " ";
  for (const auto& [count, how] : {std::pair{slim, "with slim headers"},
                                   {real, "with torch's own headers"},
                                   {failed, "not built, which the answer goes on without"}})
    if (count > 0) note += fmt::format("{}{} {}", std::exchange(between, ", "), count, how);
  note += fmt::format("; {:.1f} s of CPU", seconds);
  if (cached > 0) note += fmt::format(", {} from the cache", cached);
  for (const auto& module : modules.made)
    if (const auto* built = std::get_if<languages::BuildArtefact>(&module.result);
        built && !built->note.empty())
      note += fmt::format("; {}: {}", module.name, built->note);
  return note + end;
}

}  // namespace ridgeline::torch_answer
