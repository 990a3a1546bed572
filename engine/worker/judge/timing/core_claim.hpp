// Claims a core for one judge. Without claims, several judges of one host, a GPU each, would choose the same
// fastest core and time each other's runners.
#pragma once

#include <optional>
#include <utility>

#include "engine/core/file_descriptor.hpp"

namespace ridgeline::judge {

/// A claim on a core, among processes of any user that claim cores in this way within one network namespace.
/// It keeps nobody from running there. It ends with this object or with the process.
class CoreClaim {
 public:
  /// Claims the core. Empty: another process has it, or the system refuses.
  static std::optional<CoreClaim> take(int core);

 private:
  explicit CoreClaim(FileDescriptor name) : name_(std::move(name)) {}

  FileDescriptor name_;
};

}  // namespace ridgeline::judge
