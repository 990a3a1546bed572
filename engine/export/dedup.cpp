#include "engine/export/dedup.hpp"

#include "engine/export/source_text.hpp"

namespace ridgeline::exporting {

bool SeenPairs::first_time(const Hash& task, const Candidate& one, const Candidate& other) {
  return seen_
      .insert(sha256_of({task, to_string(one.language), normalised(one.source, one.language),
                         to_string(other.language), normalised(other.source, other.language)}))
      .second;
}

}  // namespace ridgeline::exporting
