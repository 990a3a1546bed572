#include "engine/suites/kernelbenchx/refusal.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "engine/suites/kernelbenchx/known_faults.hpp"

namespace ridgeline::suites::kernelbenchx {
namespace {

Decision refused(Refusal refusal, std::string reason) {
  return {refusal, std::move(reason), {}};
}

/// Returns "4 fixed (takes the same values in each draw), 2 raises (…)": counts, and what was seen first.
std::string counted(const std::vector<oracle::UnjudgedCall>& calls) {
  std::map<oracle::CallFault, std::pair<int, std::string>> counts;
  for (const auto& call : calls) {
    auto& [count, words] = counts[call.fault];
    if (count++ == 0) words = call.words;
  }
  std::string text;
  for (const auto& [fault, counted] : counts)
    text += fmt::format("{}{} {} ({})", text.empty() ? "" : ", ", counted.first, to_string(fault),
                        counted.second);
  return text;
}

std::string plural(int count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::vector<std::string> notes_of(const oracle::Harvest& harvest) {
  std::vector<std::string> notes;
  if (!harvest.unjudged.empty())
    notes.push_back(fmt::format("{} of {} calls are not judged: {}", harvest.unjudged.size(), harvest.calls,
                                counted(harvest.unjudged)));
  if (harvest.fixed_inputs > 0)
    notes.push_back(
        fmt::format("the test gives {} the same value in each draw", plural(harvest.fixed_inputs, "input")));
  return notes;
}

}  // namespace

Standing standing_of(Refusal refusal) {
  switch (refusal) {
    case Refusal::no_entry:
    case Refusal::quantization:
    case Refusal::wrong_reference:
    case Refusal::cannot_run:
    case Refusal::random:
    case Refusal::unsound:
      return Standing::broken;
    case Refusal::not_unique:
    case Refusal::nothing_to_judge:
      return Standing::unsupported;
    case Refusal::degenerate:
      return Standing::degenerate;
    case Refusal::does_not_fit:
      return Standing::does_not_fit;
  }
  return Standing::unsupported;
}

modules::Assessment Decision::assessment() const {
  if (!refusal) return {Standing::ok, "", notes};
  return {standing_of(*refusal), fmt::format("{}: {}", to_string(*refusal), reason), notes};
}

Decision decide(const TaskFile& task) {
  if (task.entry.empty())
    return refused(Refusal::no_entry, "its test calls no function, or several, that its reference defines");
  if (task.meta && task.meta->quantization)
    return refused(
        Refusal::quantization,
        fmt::format("it asks for {} weights and {} activations, and its reference computes without: "
                    "an honest answer is off by its quantization, and one that ignores it is exact",
                    task.meta->quantization->weight, task.meta->quantization->activation));
  auto fault = known_fault(task.full_name(), task.parts.reference);
  if (!fault.empty()) return refused(Refusal::wrong_reference, std::move(fault));
  return {};
}

Decision decide(const oracle::Harvest& harvest) {
  const auto count = [&](oracle::CallFault fault) {
    return static_cast<int>(std::ranges::count(harvest.unjudged, fault, &oracle::UnjudgedCall::fault));
  };
  if (const int random = count(oracle::CallFault::random); random > 0)
    return refused(
        Refusal::random,
        fmt::format("{} of {} calls draw random numbers: an answer would have to draw the same ones "
                    "in the same order",
                    random, harvest.calls));
  if (const int free = count(oracle::CallFault::not_unique); free > 0)
    return refused(Refusal::not_unique,
                   fmt::format("another factorization, as right, gives another result in {} of {} calls",
                               free, harvest.calls));
  if (harvest.calls == 0) return refused(Refusal::nothing_to_judge, "its test makes no call");
  if (harvest.chosen.empty())
    return refused(Refusal::nothing_to_judge,
                   fmt::format("of {} none: {}", plural(harvest.calls, "call"), counted(harvest.unjudged)));
  return {std::nullopt, "", notes_of(harvest)};
}

Decision decide(const oracle::OracleFailure& failure) {
  const auto kind = failure.kind;
  if (kind == oracle::FailureKind::memory)
    return refused(Refusal::does_not_fit, "memory: " + failure.message);
  if (kind == oracle::FailureKind::time) return refused(Refusal::does_not_fit, "time: " + failure.message);
  return refused(Refusal::cannot_run, failure.message);
}

Decision decide(const modules::Assessment& trials) {
  switch (trials.standing) {
    case Standing::ok:
    case Standing::unchecked:
      return {std::nullopt, "", trials.notes};
    case Standing::degenerate:
      return refused(Refusal::degenerate, trials.reason);
    case Standing::does_not_fit:
      return refused(Refusal::does_not_fit, trials.reason);
    case Standing::broken:
    case Standing::unsupported:
      break;
  }
  return refused(Refusal::unsound, trials.reason);
}

}  // namespace ridgeline::suites::kernelbenchx
