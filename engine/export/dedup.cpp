#include "engine/export/dedup.hpp"

#include "engine/export/source_text.hpp"

namespace ridgeline::exporting {

bool ExportedPairs::first_time(const Hash& task, const Candidate& first, const Candidate& second) {
  return seen_
      .insert(sha256_of({task, to_string(first.language), normalised(first.source, first.language),
                         to_string(second.language), normalised(second.source, second.language)}))
      .second;
}

}  // namespace ridgeline::exporting
