#include "engine/compare/loading.hpp"

#include <algorithm>
#include <set>

#include "engine/compare/compare.hpp"
#include "engine/core/error.hpp"
#include "engine/store/model_name.hpp"
#include "engine/store/reader.hpp"
#include "engine/store/why_incomplete.hpp"

namespace ridgeline::compare {
namespace {

Outcome outcome_of(const Verdict& verdict) {
  Outcome outcome;
  outcome.candidate = verdict.candidate;
  outcome.judged = verdict.judged();
  outcome.compiled = verdict.compiled();
  outcome.correct = verdict.correct();
  outcome.speedup = verdict.speedup();
  outcome.faithful = outcome.judged && verdict.faithful_correct;  // old stores hold both at once
  outcome.faithful_speedup = outcome.faithful && verdict.timing ? verdict.timing->speedup : 0;
  outcome.ending = ending_of(verdict);
  outcome.final_failures = static_cast<int>(verdict.final_failures.size());
  outcome.device = verdict.device;
  if (!outcome.correct) return outcome;
  if (const auto suspicions = verdict.suspicions(); !suspicions.empty()) outcome.doubt = suspicions.front();
  outcome.rooflines = verdict.rooflines;
  // Counters and sentences belong to one kernel's page, not to a comparison of thousands.
  for (auto& roofline : outcome.rooflines) {
    roofline.counters.clear();
    roofline.diagnosis.clear();
  }
  return outcome;
}

bool reached_a_model(const store::AskRecord& ask) {
  return ask.status != AnswerStatus::budget_exhausted && ask.status != AnswerStatus::missing_recording;
}

/// Ceilings of the devices that the comparison's rooflines were measured on, one a name.
std::vector<Ceilings> ceilings_of(const std::vector<const store::Reader*>& readers,
                                  const Comparison& comparison) {
  std::set<std::string> wanted;
  for (const auto& point : comparison.rooflines) wanted.insert(point.device);
  std::vector<Ceilings> found;
  for (const auto* reader : readers)
    for (const auto& device : reader->devices()) {
      if (wanted.erase(device.name) == 0) continue;
      found.push_back(device.ceilings);
      found.back().device = device.name;  // what RooflinePoint::device says, whatever the profiler called it
    }
  return found;
}

}  // namespace

CompiledSpeedups compiled_speedups(const std::vector<store::BaselineRecord>& baselines) {
  using Place = CompiledSpeedups::key_type;
  std::map<std::pair<Place, std::string>, std::vector<double>> cases;
  for (const auto& one : baselines)
    if (one.kind == store::BaselineKind::compile && one.cold.median > 0 && one.eager > 0)
      cases[{Place(one.task_hash, one.device), one.mode}].push_back(one.eager / one.cold.median);
  CompiledSpeedups speedups;
  for (const auto& [key, each] : cases) speedups[key.first][key.second] = geometric_mean(each);
  return speedups;
}

Walk walk_of(const store::TrajectoryRecord& trajectory, const std::vector<store::AttemptRecord>& attempts,
             const CompiledSpeedups& compiled) {
  Walk walk{.strategy = trajectory.strategy,
            .model = store::model_name(trajectory),
            .language = std::string(to_string(trajectory.language)),
            .task = trajectory.task_name,
            .category = trajectory.category,
            .seed = trajectory.seed,
            .incomplete = store::why_incomplete(trajectory),
            .points = {}};
  WalkPoint point;
  for (const auto& attempt : attempts) {
    point.outcome.reset();
    if (reached_a_model(attempt.ask)) {
      ++point.calls;
      point.tokens += attempt.ask.tokens.input + attempt.ask.tokens.output;
      point.usd += attempt.ask.usd;
    }
    const auto& evaluation = attempt.evaluation;
    if (evaluation && evaluation->status == EvaluationStatus::evaluated) {
      ++point.evaluations;
      point.outcome = outcome_of(evaluation->verdict);
      point.outcome->candidate = evaluation->candidate;
      const auto known = compiled.find({evaluation->verdict.task, evaluation->verdict.device});
      if (known != compiled.end()) point.outcome->compiled_references = known->second;
    } else if (!reached_a_model(attempt.ask)) {
      continue;
    }
    point.round = attempt.ask.round;
    point.critic = attempt.ask.critic;
    walk.points.push_back(point);
  }
  return walk;
}

std::vector<store::CampaignRecord> compared_campaigns(const store::Reader& reader) {
  auto campaigns = reader.campaigns();
  std::set<store::Id> branched;
  for (const auto& campaign : campaigns) branched.insert(campaign.origin);
  std::erase_if(campaigns, [&](const auto& campaign) { return branched.contains(campaign.id); });
  return campaigns;
}

std::vector<Walk> load_walks(const store::Reader& reader, store::Id campaign) {
  std::vector<Walk> walks;
  const auto compiled = compiled_speedups(reader.baselines());
  for (const auto& trajectory : reader.trajectories(campaign))
    if (trajectory.state != store::TrajectoryState::pending)
      walks.push_back(walk_of(trajectory, reader.attempts(trajectory.id), compiled));
  return walks;
}

std::vector<SuiteTask> load_suite_tasks(const store::Reader& reader, store::Id campaign) {
  std::vector<SuiteTask> suite;
  for (auto& one : reader.suite_tasks(campaign))
    suite.push_back({std::move(one.file), std::move(one.name), std::move(one.category), one.standing,
                     std::move(one.reason)});
  return suite;
}

void join(std::vector<SuiteTask>& suite, std::vector<SuiteTask> more) {
  for (auto& task : more) {
    const auto known =
        std::find_if(suite.begin(), suite.end(), [&](const SuiteTask& one) { return one.file == task.file; });
    if (known == suite.end())
      suite.push_back(std::move(task));
    else if (known->standing == Standing::unchecked)
      *known = std::move(task);
  }
}

Comparison compare(const std::vector<const store::Reader*>& readers, const CompareOptions& options) {
  std::vector<Walk> walks;
  std::vector<SuiteTask> suite;
  std::vector<std::string> campaigns;
  std::size_t pending = 0;
  for (const auto* reader : readers) {
    for (const auto& campaign : compared_campaigns(*reader)) {
      campaigns.push_back(campaign.name);
      join(suite, load_suite_tasks(*reader, campaign.id));
      for (const auto& trajectory : reader->trajectories(campaign.id))
        if (trajectory.state == store::TrajectoryState::pending) ++pending;
      auto more = load_walks(*reader, campaign.id);
      std::move(more.begin(), more.end(), std::back_inserter(walks));
    }
  }
  if (walks.empty())
    throw BadInput("nothing to compare: no trajectory in the store has begun (" + std::to_string(pending) +
                   " planned); run the campaign first with `ridgeline run`");
  auto comparison = compare(std::move(walks), options, suite);
  comparison.campaigns = std::move(campaigns);
  comparison.ceilings = ceilings_of(readers, comparison);
  if (pending > 0)
    comparison.notes.push_back("trajectories planned but not begun, not counted: " + std::to_string(pending));
  return comparison;
}

}  // namespace ridgeline::compare
