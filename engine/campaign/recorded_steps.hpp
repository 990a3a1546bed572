// Holds the journal of one trajectory while its strategy runs over it again. Results are taken out by step
// and slot, in any order.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/error.hpp"
#include "engine/store/journal.hpp"

namespace ridgeline::campaign {

/// Thrown when a recorded result belongs to another request than the strategy makes now: a template, a
/// preset, the machine or the program changed since. The result must not answer the new request.
class JournalDiverged : public BadInput {
 public:
  /// `step` is the first step that no longer matches.
  JournalDiverged(const std::string& message, int step) : BadInput(message), step_(step) {}
  int step() const noexcept { return step_; }

 private:
  int step_;
};

/// Hands out each recorded result once. One thread.
class RecordedSteps {
 public:
  explicit RecordedSteps(std::vector<store::JournalEntry> entries);

  /// Takes out the recorded result of the request with the hash `request`; nullopt if none is recorded.
  /// Throws JournalDiverged, naming the trajectory `where` and the fix, if the recorded request has another
  /// hash.
  std::optional<store::AskEntry> take_ask(int step, int slot, const Hash& request, const std::string& where);
  std::optional<store::EvaluationRecord> take_evaluation(int step, int slot, const Hash& request,
                                                         const std::string& where);
  /// Returns the first step with a recorded result that was not taken; nullopt if all were.
  std::optional<int> first_unused_step() const;

 private:
  using Place = std::pair<int, int>;  // step, slot; ordered, so that the first step is the map's first
  std::map<Place, store::AskEntry> asks_;
  std::map<Place, store::EvaluationRecord> evaluations_;
};

}  // namespace ridgeline::campaign
