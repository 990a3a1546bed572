// Turns a policy and a command line into the plan that the child carries out, and owns its storage.
#pragma once

#include <string>
#include <vector>

#include "engine/core/file_descriptor.hpp"
#include "engine/worker/sandbox/confined_child.hpp"
#include "engine/worker/sandbox/policy.hpp"
#include "engine/worker/sandbox/seccomp_filter.hpp"
#include "engine/worker/sandbox/view.hpp"

namespace ridgeline::sandbox {

class Launch {
 public:
  /// An empty command line makes a rehearsal: everything but exec. Throws BadInput or MachineCannot.
  Launch(const Policy& policy, const std::vector<std::string>& command, const std::vector<int>& passed);
  Launch(const Launch&) = delete;  // the plan points into this object
  Launch& operator=(const Launch&) = delete;

  ChildPlan& plan() { return plan_; }

  /// "sandbox: mounting /proc failed: Operation not permitted (/proc)".
  std::string failure_text() const;

 private:
  void plan_limits(const Limits& limits, bool counts_processes_alone);
  void plan_strict(const Policy& policy);

  ChildPlan plan_;
  std::vector<std::string> strings_;  // arguments, then environment
  std::vector<char*> pointers_;
  std::string working_folder_, user_map_, group_map_;
  std::vector<ViewStep> view_;
  std::vector<RawViewStep> raw_view_;
  std::vector<ResourceLimit> limits_;
  seccomp::Program filter_;
  std::vector<int> passed_, moved_;
  FileDescriptor null_, parent_, ruleset_;
};

}  // namespace ridgeline::sandbox
