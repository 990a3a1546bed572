// One core for one judge: several judges of one host, a GPU each, would choose the same quickest core and
// time each other's runners.
#pragma once

#include <optional>
#include <utility>

#include "engine/core/file_descriptor.hpp"

namespace ridgeline::judge {

/// Holds a core among the processes that claim cores in this way, of whichever user, within one network
/// namespace. It hinders nobody from running there. Given back when it goes, or the process ends.
class CoreClaim {
 public:
  /// Empty: somebody else has it, or the system does not let it be claimed.
  static std::optional<CoreClaim> take(int core);

 private:
  explicit CoreClaim(FileDescriptor name) : name_(std::move(name)) {}

  FileDescriptor name_;
};

}  // namespace ridgeline::judge
