// Recognizes source pairs that were exported before, also if they differ only in comments and white space.
#pragma once

#include <string>
#include <unordered_set>

#include "engine/core/candidate.hpp"

namespace ridgeline::exporting {

class ExportedPairs {
 public:
  /// Returns true the first time that it is called with this pair of sources for the task.
  bool first_time(const Hash& task, const Candidate& first, const Candidate& second);

 private:
  std::unordered_set<std::string> seen_;
};

}  // namespace ridgeline::exporting
