// Recognizes source pairs that were exported before, also if they differ only in comments, white space and
// the names of variables (canonical.hpp).
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>

#include "engine/core/candidate.hpp"

namespace ridgeline::exporting {

class ExportedPairs {
 public:
  /// Returns true the first time that it is called with this pair of sources for the task.
  bool first_time(const Hash& task, const Candidate& first, const Candidate& second);

 private:
  /// The hash of the candidate's canonical text. Computed once a candidate, since each is in several pairs.
  const Hash& canonical_hash(const Candidate& candidate);

  std::unordered_map<Hash, Hash> canonical_;  ///< by the candidate's own hash
  std::unordered_set<std::string> seen_;
};

}  // namespace ridgeline::exporting
