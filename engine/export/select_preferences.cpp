// Selects pairs of a better and a worse answer: siblings of one prompt, or before and after a change.
#include <array>
#include <map>
#include <nlohmann/json.hpp>

#include "engine/export/formats.hpp"
#include "engine/export/row.hpp"
#include "engine/export/shapes.hpp"

namespace ridgeline::exporting {
namespace {

using nlohmann::json;

/// One of several answers to the same prompt.
struct Sibling {
  const ExportedTrajectory* trajectory;
  const store::AttemptRecord* attempt;
};

const Verdict& verdict_of(const Sibling& sibling) {
  return sibling.attempt->evaluation->verdict;
}

/// Whether one got further, or as far and measurably faster. This is no total order: two candidates within
/// each other's noise are equal.
bool better(const Sibling& one, const Sibling& other, double confidence) {
  const auto &a = verdict_of(one), &b = verdict_of(other);
  if (rank_of(a) != rank_of(b)) return rank_of(a) > rank_of(b);
  if (!a.correct() || !a.timing || !b.timing) return false;
  const auto ratio = ratio_between(*b.timing, *a.timing, confidence);
  return ratio && ratio->low > 1;
}

/// The fastest of the siblings that got furthest.
const Sibling& best_of(const std::vector<Sibling>& siblings) {
  const auto* best = &siblings.front();
  for (const auto& sibling : siblings) {
    const auto &a = verdict_of(sibling), &b = verdict_of(*best);
    if (rank_of(a) > rank_of(b) || (rank_of(a) == rank_of(b) && a.speedup() > b.speedup())) best = &sibling;
  }
  return *best;
}

/// Groups siblings by prompt, in the order in which the prompts first appear.
std::vector<std::vector<Sibling>> families(const TaskTrajectories& task, LineWriter& lines) {
  std::vector<std::vector<Sibling>> groups;
  std::map<std::pair<Language, std::string>, std::size_t> index;
  for (const auto& trajectory : task.trajectories)
    for (const auto& attempt : trajectory.attempts) {
      if (trajectory.is_copy(attempt)) continue;
      if (attempt.ask.critic || !was_evaluated(attempt) || attempt.ask.prompt == "[]") continue;
      const auto& verdict = attempt.evaluation->verdict;
      if (!is_judged(attempt)) {
        lines.leave_out("not judged: the machine failed");
      } else if (!lines.options().include_flagged && !verdict.suspicions().empty()) {
        lines.leave_out("flagged");
      } else {
        const auto [at, fresh] =
            index.try_emplace({attempt.candidate->language, sha256(attempt.ask.prompt)}, groups.size());
        if (fresh) groups.emplace_back();
        groups[at->second].push_back({&trajectory, &attempt});
      }
    }
  return groups;
}

/// Adds a pair. Its ratio is the time of what is rejected over the time of what is chosen.
void add_pair(const TaskTrajectories& task, LineWriter& lines, const ExportedTrajectory& trajectory,
              const std::string& kind, const json& prompt, const Sibling& chosen, const Sibling& rejected,
              const std::array<std::string, 2>& texts) {
  const auto &better_one = verdict_of(chosen), &worse_one = verdict_of(rejected);
  const auto pair = classify(worse_one, better_one, lines.options().confidence).value_or(Transition{});
  auto about = origin(trajectory, task.split);
  about.update(facts(pair));
  for (const auto* other : {"from_stage", "to_stage", "complete"}) about.erase(other);
  about["kind"] = kind;
  about["chosen_outcome"] = outcome(better_one);
  about["rejected_outcome"] = outcome(worse_one);
  about["chosen_speedup"] = better_one.speedup();
  about["rejected_speedup"] = worse_one.speedup();
  about["device"] = better_one.device;
  lines.add(kind, preference_line(lines.options().format, prompt, texts[0], texts[1], about));
}

/// The task's own prompt: the first in the trajectory that asked for a kernel without showing one.
const store::AskRecord* first_prompt(const ExportedTrajectory& trajectory) {
  for (const auto& attempt : trajectory.attempts)
    if (!attempt.ask.critic && attempt.ask.change.empty() && attempt.ask.feedback == "[]" &&
        attempt.ask.prompt != "[]")
      return &attempt.ask;
  return nullptr;
}

}  // namespace

void write_siblings(const TaskTrajectories& task, LineWriter& lines) {
  for (const auto& siblings : families(task, lines)) {
    const auto& best = best_of(siblings);
    if (!verdict_of(best).correct() && !lines.options().include_incomplete) {
      lines.leave_out("no sibling is correct", static_cast<int>(siblings.size()) - 1);
      continue;
    }
    for (const auto& other : siblings) {
      if (&other == &best) continue;
      if (!better(best, other, lines.options().confidence)) {
        lines.leave_out("siblings do not differ beyond the noise");
        continue;
      }
      if (!lines.is_new(task.task.hash, *best.attempt->candidate, *other.attempt->candidate)) continue;
      add_pair(task, lines, *best.trajectory, "siblings", messages_of(best.attempt->ask), best, other,
               {best.attempt->ask.response_text, other.attempt->ask.response_text});
    }
  }
}

void write_before_and_after(const TaskTrajectories& task, LineWriter& lines) {
  for (const auto& trajectory : task.trajectories) {
    const auto edges = edges_of(trajectory, lines.options().confidence);
    lines.note(edges);
    const auto* prompt = first_prompt(trajectory);
    for (const auto& [before, after, transition] : edges.edges) {
      if (!lines.is_wanted(transition, transition.kind != TransitionKind::neutral)) continue;
      if (transition.kind == TransitionKind::neutral) {
        lines.leave_out("kind neutral prefers neither");
        continue;
      }
      if (prompt == nullptr) {
        lines.leave_out("the trajectory has no first prompt");
        continue;
      }
      const bool forward = is_gain(transition.kind);
      const auto& chosen = forward ? *after : *before;
      const auto& rejected = forward ? *before : *after;
      if (!chosen.evaluation->verdict.correct() && !lines.options().include_incomplete) {
        lines.leave_out("the better one is not correct");
        continue;
      }
      if (!lines.is_new(task.task.hash, *chosen.candidate, *rejected.candidate)) continue;
      add_pair(task, lines, trajectory, std::string(to_string(transition.kind)), messages_of(*prompt),
               {&trajectory, &chosen}, {&trajectory, &rejected},
               {as_answer(*chosen.candidate), as_answer(*rejected.candidate)});
    }
  }
}

}  // namespace ridgeline::exporting
