// Turns a policy and a command line into the plan that the child performs, and owns the plan's storage.
#pragma once

#include <string>
#include <vector>

#include "engine/core/file_descriptor.hpp"
#include "engine/worker/sandbox/confined_child.hpp"
#include "engine/worker/sandbox/policy.hpp"
#include "engine/worker/sandbox/seccomp_filter.hpp"
#include "engine/worker/sandbox/view.hpp"

namespace ridgeline::sandbox {

/// One launch. It must outlive the call of launch_child.
class Launch {
 public:
  /// Makes the plan; an empty command line makes a rehearsal: everything but exec. The descriptors `passed`
  /// stay the caller's. Throws BadInput or MachineCannot.
  Launch(const Policy& policy, const std::vector<std::string>& command, const std::vector<int>& passed);
  Launch(const Launch&) = delete;  // the plan points into this object
  Launch& operator=(const Launch&) = delete;

  ChildPlan& plan() { return plan_; }

  /// Describes the step at which launch_child failed (ChildPlan::failure): "sandbox: mounting /proc failed:
  /// Operation not permitted (/proc)".
  std::string failure_text() const;

 private:
  void plan_limits(const Limits& limits, bool own_user_namespace);
  void plan_strict(const Policy& policy);

  ChildPlan plan_;
  std::vector<std::string> arguments_, environment_;
  std::vector<char*> argument_pointers_, environment_pointers_;
  std::string working_folder_, user_map_, group_map_;
  std::vector<ViewStep> view_;
  std::vector<RawViewStep> raw_view_;
  std::vector<ResourceLimit> limits_;
  seccomp::Program filter_;
  std::vector<int> passed_, moved_;         // moved_: where the child notes duplicates of passed_
  FileDescriptor null_, parent_, ruleset_;  // /dev/null, this process's pidfd, the Landlock rules
};

}  // namespace ridgeline::sandbox
