#include "engine/core/verdict.hpp"

namespace ridgeline {

std::optional<Stage> Verdict::reached() const {
  std::optional<Stage> last;
  for (const auto stage : {Stage::build, Stage::call, Stage::correctness, Stage::timing, Stage::profile}) {
    if (at(stage).status != Status::passed) break;
    last = stage;
  }
  return last;
}

std::optional<Stage> Verdict::failed_at() const {
  for (const auto stage : {Stage::build, Stage::call, Stage::correctness, Stage::timing})
    if (at(stage).status != Status::passed) return stage;
  return std::nullopt;
}

bool Verdict::correct() const {
  return at(Stage::build).status == Status::passed && at(Stage::call).status == Status::passed &&
         at(Stage::correctness).status == Status::passed && at(Stage::timing).status != Status::failed &&
         !cheated;
}

double Verdict::speedup() const {
  return correct() && timing ? timing->speedup : 0;
}

std::vector<std::string> Verdict::suspicions() const {
  auto found = flags;
  if (cheated) found.emplace_back("cheated");
  for (const auto reason : {Reason::implausible, Reason::timing_disputed, Reason::wrong_when_timed})
    if (at(Stage::timing).reason == reason) found.emplace_back(to_string(reason));
  return found;
}

}  // namespace ridgeline
