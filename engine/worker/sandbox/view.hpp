// The file system that a `strict` child sees: a fresh tmpfs with the policy's paths bound into it, and
// nothing else. Planned in the parent from the policy; carried out by the child (confined_child.cpp).
#pragma once

#include <string>
#include <vector>

#include "engine/worker/sandbox/policy.hpp"

namespace ridgeline::sandbox {

struct ViewStep {
  enum class Kind { folder, empty_file, symlink, bind } kind;
  std::string target;     // in the new root
  std::string source;     // bind: "/.old" and the path before; symlink: its text
  bool read_only = true;  // bind
  bool device = false;    // bind: keep device nodes usable
};

/// Where the root from before stays reachable until the view is complete.
inline constexpr const char* kOldRoot = "/.old";

/// Steps in order: parents before children, so that a bind lies over the one that contains it. Symbolic
/// links on the way to a path (/lib -> usr/lib) are made again. Optional paths that are absent are left
/// out; throws BadInput for others.
std::vector<ViewStep> plan_view(const Policy& policy);

}  // namespace ridgeline::sandbox
