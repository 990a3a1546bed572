#include "engine/export/dedup.hpp"

#include "engine/export/canonical.hpp"

namespace ridgeline::exporting {

const Hash& ExportedPairs::canonical_hash(const Candidate& candidate) {
  const auto [at, fresh] = canonical_.try_emplace(candidate.hash);
  if (fresh)
    at->second = sha256_of({to_string(candidate.language), canonical(candidate.source, candidate.language)});
  return at->second;
}

bool ExportedPairs::first_time(const Hash& task, const Candidate& first, const Candidate& second) {
  return seen_.insert(sha256_of({task, canonical_hash(first), canonical_hash(second)})).second;
}

}  // namespace ridgeline::exporting
