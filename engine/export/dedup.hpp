// Leaves out pairs that were exported before, or nearly: equal but for comments and white space.
#pragma once

#include <string>
#include <unordered_set>

#include "engine/core/candidate.hpp"

namespace ridgeline::exporting {

class SeenPairs {
 public:
  /// True the first time that this pair of the task comes.
  bool first_time(const Hash& task, const Candidate& one, const Candidate& other);

 private:
  std::unordered_set<std::string> seen_;
};

}  // namespace ridgeline::exporting
