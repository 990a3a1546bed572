// Plans the file system that a `strict` child sees: a fresh tmpfs with the policy's paths bound into it, and
// nothing else. The parent plans it from the policy; the child builds it (confined_child.cpp).
#pragma once

#include <string>
#include <vector>

#include "engine/worker/sandbox/policy.hpp"

namespace ridgeline::sandbox {

/// One step of building the view.
struct ViewStep {
  enum class Kind { folder, empty_file, symlink, bind } kind;
  std::string target;     // in the new root
  std::string source;     // bind: "/.old" and the path outside; symlink: its text
  bool read_only = true;  // bind
  bool device = false;    // bind: keep device nodes usable
};

/// The folder where the old root stays reachable until the view is complete.
inline constexpr const char* kOldRoot = "/.old";

/// Returns the steps in order: parents before children, so that the bind of a path comes after the bind of a
/// folder that contains it, and hides the folder's own entry. Symbolic links on the way to a path
/// (/lib -> usr/lib) are made again. Leaves out optional paths that do not exist; throws BadInput for other
/// paths that do not exist or are not absolute.
std::vector<ViewStep> plan_view(const Policy& policy);

}  // namespace ridgeline::sandbox
