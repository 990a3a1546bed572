// Selects whole conversations: the way of a trajectory from its first prompt to its best kernel, one turn a
// prompt and its answer. Each refinement prompt holds the source that it is about, so a turn repeats what the
// answer before it said.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "engine/export/formats.hpp"
#include "engine/export/row.hpp"
#include "engine/export/shapes.hpp"
#include "engine/export/worth.hpp"

namespace ridgeline::exporting {
namespace {

using nlohmann::json;
using Turn = const store::AttemptRecord*;

/// The fastest correct attempt of the trajectory's own; null if there is none. Never a flagged one, also
/// where the options take such turns: nobody should learn to end in a cheat.
Turn best_attempt(const ExportedTrajectory& trajectory) {
  Turn best = nullptr;
  for (const auto& attempt : trajectory.attempts) {
    if (trajectory.is_copy(attempt) || attempt.ask.critic || !is_judged(attempt)) continue;
    const auto& verdict = attempt.evaluation->verdict;
    if (!verdict.correct() || !verdict.suspicions().empty()) continue;
    if (best == nullptr || verdict.speedup() > best->evaluation->verdict.speedup()) best = &attempt;
  }
  return best;
}

/// The attempts from the first prompt to `last`, each the one whose candidate the next was asked to change.
/// Empty if one of them is not in the trajectory, was not judged, is flagged or has no prompt.
std::vector<Turn> way_to(const ExportedTrajectory& trajectory, Turn last, bool flagged_too) {
  std::vector<Turn> way{last};
  for (auto at = last; !at->ask.change.empty();) {
    Turn before = nullptr;
    for (const auto& attempt : trajectory.attempts) {
      if (&attempt == at) break;
      if (!attempt.ask.critic && is_judged(attempt) && attempt.candidate->hash == at->ask.change) {
        before = &attempt;
        break;
      }
    }
    if (before == nullptr) return {};
    way.push_back(at = before);
  }
  std::ranges::reverse(way);
  const auto unusable = [&](Turn turn) {
    return turn->ask.prompt == "[]" || (!flagged_too && !turn->evaluation->verdict.suspicions().empty());
  };
  return std::ranges::any_of(way, unusable) ? std::vector<Turn>{} : way;
}

/// All messages but the last answer. The system's message stands once, as the first prompt has it.
json prompt_of(const std::vector<Turn>& way) {
  auto messages = json::array();
  for (const auto turn : way) {
    for (const auto& message : messages_of(turn->ask))
      if (turn == way.front() || message.at("role") != "system") messages.push_back(message);
    if (turn != way.back()) messages.push_back(as_completion(turn->ask.response_text).front());
  }
  return messages;
}

}  // namespace

void write_conversations(const TaskTrajectories& task, LineWriter& lines) {
  for (const auto& trajectory : task.trajectories) {
    const auto last = best_attempt(trajectory);
    if (last == nullptr) {
      lines.leave_out("the trajectory has no correct kernel");
      continue;
    }
    const auto way = way_to(trajectory, last, lines.options().include_flagged);
    if (way.empty()) {
      lines.leave_out("a turn is missing, was not judged or is flagged");
      continue;
    }
    const bool one = way.size() == 1;
    if (one && !lines.options().include_first_attempts) {
      lines.leave_out("the best kernel answers the first prompt");
      continue;
    }
    const auto &first_verdict = way.front()->evaluation->verdict, &verdict = last->evaluation->verdict;
    const auto change = classify(first_verdict, verdict, lines.options().confidence).value_or(Transition{});
    if (!one && !lines.is_wanted(change, is_gain(change.kind))) continue;
    if (!lines.is_new(task.task.hash, one ? Candidate{} : *way.front()->candidate, *last->candidate))
      continue;
    auto about = origin(trajectory, task.split);
    about.update(address(last->ask));
    about.update(one ? first_facts(verdict) : facts(change));
    about.update(worth_of(task, trajectory, *last, nullptr));
    about["turns"] = way.size();
    about["speedup"] = verdict.speedup();
    about["device"] = verdict.device;
    lines.add(about.at("kind").get<std::string>(),
              answer_line(lines.options().format, prompt_of(way), last->ask.response_text, about));
  }
}

}  // namespace ridgeline::exporting
