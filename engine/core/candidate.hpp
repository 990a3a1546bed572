// A candidate kernel: one source text in one language, addressed by its content.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/core/hash.hpp"
#include "engine/core/language.hpp"

namespace ridgeline {

struct Candidate {
  Language language = Language::cpp;
  std::string source;
  Hash hash;  ///< over language and source: the same text is the same candidate
  /// Candidates whose source stood in the prompt; the first is the one that the model was asked to change.
  std::vector<Hash> parents;
};

/// Makes a candidate and computes its hash.
inline Candidate make_candidate(Language language, std::string source, std::vector<Hash> parents = {}) {
  Candidate candidate{language, std::move(source), {}, std::move(parents)};
  candidate.hash = sha256_of({to_string(language), candidate.source});
  return candidate;
}

}  // namespace ridgeline
