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
  constexpr std::array gating{Stage::build, Stage::call, Stage::correctness, Stage::timing};
  // A machine without a compiler leaves the build `not_reached` and says so at a later stage, so stages that
  // speak come first.
  for (const auto stage : gating)
    if (at(stage).status == Status::failed || at(stage).status == Status::unavailable) return stage;
  for (const auto stage : gating)
    if (at(stage).status != Status::passed) return stage;
  return std::nullopt;
}

bool Verdict::correct() const {
  // Timing may have been skipped or impossible; only a time that was taken can expose a candidate.
  return at(Stage::build).status == Status::passed && at(Stage::call).status == Status::passed &&
         at(Stage::correctness).status == Status::passed && at(Stage::timing).status != Status::failed &&
         !cheated;
}

bool Verdict::judged() const {
  if (correct() || cheated) return true;
  const auto stage = failed_at();
  return stage && at(*stage).status == Status::failed;
}

bool Verdict::scorable() const {
  const auto& timing_stage = at(Stage::timing);
  // Unavailable without a reason: nobody asked for a time, so none is missing.
  const bool untimed = timing_stage.status == Status::unavailable && timing_stage.reason != Reason::none;
  return judged() && !(correct() && untimed);
}

bool Verdict::retryable() const {
  if (scorable()) return false;
  const auto stage = failed_at();
  const auto reason = stage ? at(*stage).reason : Reason::none;
  return reason != Reason::task_rejected && reason != Reason::unsupported;
}

double Verdict::speedup() const {
  return correct() && timing ? timing->speedup : 0;
}

std::vector<std::string> Verdict::suspicions() const {
  auto reasons = flags;
  if (cheated) reasons.emplace_back("cheated");
  for (const auto reason : {Reason::implausible, Reason::timing_disputed, Reason::wrong_when_timed})
    if (at(Stage::timing).reason == reason) reasons.emplace_back(to_string(reason));
  return reasons;
}

}  // namespace ridgeline
