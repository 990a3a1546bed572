// The journal of one trajectory while its strategy runs over it again: what was recorded is taken out once,
// in any order of slots, and given back at once.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/error.hpp"
#include "engine/store/journal.hpp"

namespace ridgeline::campaign {

/// A recorded answer belongs to another request than the one made now: a template, a preset, the machine or
/// the program changed since. Recorded results must not answer it.
class JournalDiverged : public BadInput {
 public:
  JournalDiverged(const std::string& message, int step) : BadInput(message), step_(step) {}
  int step() const noexcept { return step_; }

 private:
  int step_;
};

class RecordedSteps {
 public:
  explicit RecordedSteps(std::vector<store::JournalEntry> entries);

  /// nullopt: not recorded. Throws JournalDiverged, naming `where` and the fix, if the hashes differ.
  std::optional<store::AskEntry> take_ask(int step, int slot, const Hash& request, const std::string& where);
  std::optional<store::EvaluationRecord> take_evaluation(int step, int slot, const Hash& request,
                                                         const std::string& where);
  /// The first step of which something was not taken.
  std::optional<int> first_left() const;

 private:
  using Place = std::pair<int, int>;  // step, slot
  std::map<Place, store::AskEntry> asks_;
  std::map<Place, store::EvaluationRecord> evaluations_;
};

}  // namespace ridgeline::campaign
