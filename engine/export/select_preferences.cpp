// Writes TRL's conversational preferences with an explicit prompt: siblings of one prompt, or before and
// after a change.
#include <map>
#include <nlohmann/json.hpp>

#include "engine/export/formats.hpp"
#include "engine/export/row.hpp"

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
bool better(const Sibling& one, const Sibling& other) {
  const auto &a = verdict_of(one), &b = verdict_of(other);
  if (rank_of(a) != rank_of(b)) return rank_of(a) > rank_of(b);
  if (!a.correct() || !a.timing || !b.timing) return false;
  const auto ratio = ratio_between(*b.timing, *a.timing);
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

json outcome(const Verdict& verdict) {
  const auto stage = verdict.failed_at();
  return verdict.correct() ? json("correct") : json(stage ? to_string(*stage) : "correctness");
}

json speedup_of(const Verdict& verdict) {
  return verdict.correct() && verdict.timing ? json(verdict.speedup()) : json(nullptr);
}

void add_outcomes(json& line, const Verdict& chosen, const Verdict& rejected) {
  line["chosen_outcome"] = outcome(chosen);
  line["rejected_outcome"] = outcome(rejected);
  line["chosen_speedup"] = speedup_of(chosen);
  line["rejected_speedup"] = speedup_of(rejected);
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

void write_trl_dpo_siblings(const TaskTrajectories& task, LineWriter& lines) {
  for (const auto& siblings : families(task, lines)) {
    const auto& best = best_of(siblings);
    if (!verdict_of(best).correct() && !lines.options().include_incomplete) {
      lines.leave_out("no sibling is correct", static_cast<int>(siblings.size()) - 1);
      continue;
    }
    for (const auto& other : siblings) {
      if (&other == &best) continue;
      if (!better(best, other)) {
        lines.leave_out("siblings do not differ beyond the noise");
        continue;
      }
      if (!lines.is_new(task.task.hash, *best.attempt->candidate, *other.attempt->candidate)) continue;
      auto line = origin(*best.trajectory, task.split);
      line["kind"] = "siblings";
      line["prompt"] = messages_of(best.attempt->ask);
      line["chosen"] = as_completion(best.attempt->ask.response_text);
      line["rejected"] = as_completion(other.attempt->ask.response_text);
      add_outcomes(line, verdict_of(best), verdict_of(other));
      lines.add("siblings", line);
    }
  }
}

void write_trl_dpo_transitions(const TaskTrajectories& task, LineWriter& lines) {
  for (const auto& trajectory : task.trajectories) {
    const auto edges = edges_of(trajectory);
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
      auto line = origin(trajectory, task.split);
      line.update(facts(transition));
      line["prompt"] = messages_of(*prompt);
      line["chosen"] = as_completion(as_answer(*chosen.candidate));
      line["rejected"] = as_completion(as_answer(*rejected.candidate));
      add_outcomes(line, chosen.evaluation->verdict, rejected.evaluation->verdict);
      lines.add(std::string(to_string(transition.kind)), line);
    }
  }
}

}  // namespace ridgeline::exporting
