// Reads the words after bench-adversary.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace ridgeline::bench {

struct AdversaryOptions {
  bool brief = false;               ///< two candidates of each class, in the cheapest language
  std::set<std::string> languages;  ///< "cpp", "cuda", "python", "triton"
  int repeat = 1;                   ///< judgements of each candidate
  std::string only;                 ///< what "language/class/name" must hold

  bool chooses(const std::string& language, const std::string& folder, const std::string& name) const {
    return (language + "/" + folder + "/" + name).find(only) != std::string::npos;
  }
};

extern const char* const adversary_usage;

/// Reads what take_short() left. Throws BadInput, with the usage, on words that it does not know.
AdversaryOptions read_adversary_options(const std::vector<std::string>& words, bool brief);

}  // namespace ridgeline::bench
