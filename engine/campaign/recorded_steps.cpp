#include "engine/campaign/recorded_steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>

namespace ridgeline::campaign {
namespace {

void check(const Hash& recorded, const Hash& now, int step, int slot, const char* what,
           const std::string& where) {
  if (recorded == now) return;
  throw JournalDiverged(
      fmt::format(
          "{}, step {}, slot {}: the recorded {} belongs to another request ({} then, {} now), since a "
          "template, a setting, the machine or Ridgeline itself changed. Restore it to go on, or add "
          "--fork to start a branch that keeps the steps before and goes on anew from here",
          where, step, slot, what, short_hash(recorded), short_hash(now)),
      step);
}

}  // namespace

RecordedSteps::RecordedSteps(std::vector<store::JournalEntry> entries) {
  for (auto& entry : entries) {
    if (auto* ask = std::get_if<store::AskEntry>(&entry)) {
      const Place place{ask->record.step, ask->record.slot};
      asks_.emplace(place, std::move(*ask));
    } else {
      auto& evaluation = std::get<store::EvaluationRecord>(entry);
      const Place place{evaluation.step, evaluation.slot};
      evaluations_.emplace(place, std::move(evaluation));
    }
  }
}

std::optional<store::AskEntry> RecordedSteps::take_ask(int step, int slot, const Hash& request,
                                                       const std::string& where) {
  auto node = asks_.extract({step, slot});  // extracted: a result is handed out once, and memory shrinks
  if (node.empty()) return std::nullopt;
  check(node.mapped().record.request_hash, request, step, slot, "answer", where);
  return std::move(node.mapped());
}

std::optional<store::EvaluationRecord> RecordedSteps::take_evaluation(int step, int slot, const Hash& request,
                                                                      const std::string& where) {
  auto node = evaluations_.extract({step, slot});
  if (node.empty()) return std::nullopt;
  check(node.mapped().request_hash, request, step, slot, "verdict", where);
  return std::move(node.mapped());
}

std::optional<int> RecordedSteps::first_unused_step() const {
  std::optional<int> first;
  if (!asks_.empty()) first = asks_.begin()->first.first;
  if (!evaluations_.empty()) first = std::min(first.value_or(INT_MAX), evaluations_.begin()->first.first);
  return first;
}

}  // namespace ridgeline::campaign
