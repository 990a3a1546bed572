// Decides whether torch's own headers could make a source compile that the slim ones did not: not if it asks
// for a name that they spell nowhere. Saves the minute or two that a build with them takes.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

#include "engine/worker/languages/torch_extension/torch_headers.hpp"

namespace ridgeline::torch_extension {

/// Returns the name that a compiler's error says is missing ("'sise'" of "has no member named 'sise'"); empty
/// if it says something else.
std::optional<std::string> missing_name(std::string_view error);

class TorchNames {
 public:
  /// Adds every identifier of a text but for those in comments.
  void read(std::string_view text);
  bool spell(std::string_view name) const { return names_.contains(std::string(name)); }
  std::size_t size() const { return names_.size(); }

 private:
  std::unordered_set<std::string> names_;
};

/// Reads the names in torch's package, 60 MB of text: about a second.
TorchNames read_torch_names(const TorchHeaders& torch);

/// Returns true unless `error`, the first of the slim build, misses a name that neither torch's headers nor
/// what they include can bring (names of Python, CUDA and the standard library are known by how they begin).
bool torch_may_help(std::string_view error, const TorchNames& names);

}  // namespace ridgeline::torch_extension
