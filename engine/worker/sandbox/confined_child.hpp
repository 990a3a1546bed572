// Defines what runs between clone and exec, and its data, all of which the parent prepares.
//
// The child is made with CLONE_VM | CLONE_VFORK: it borrows the parent's memory while the calling thread
// waits, so a judge with gigabytes of tensors pays for no page table and no copy-on-write. The price:
// another thread of the parent may hold any lock (malloc's, the loader's), and whatever the child writes is
// written in the parent. So confined_child.cpp allocates nothing, takes no lock, throws nothing, and makes
// only system calls. It is a file of its own so that a reader can check exactly that.
#pragma once

#include <linux/filter.h>
#include <sys/resource.h>
#include <sys/types.h>

#include <span>

namespace ridgeline::sandbox {

/// A step of the launch that can fail, for messages and for the probe.
enum class LaunchStep {
  none,
  clone,
  parent_gone,
  descriptors,
  set_groups,
  user_map,
  group_map,
  private_mounts,
  root_tmpfs,
  pivot_root,
  make_folder,
  make_file,
  make_symlink,
  bind,
  bind_flags,
  mount_proc,
  detach_root,
  read_only_root,
  working_folder,
  limits,
  drop_capabilities,
  landlock_proc,
  landlock,
  seccomp,
  exec
};

const char* to_text(LaunchStep step);  ///< e.g. "mounting /proc"

/// The first step that failed.
struct LaunchFailure {
  LaunchStep step = LaunchStep::none;
  int error = 0;                 // errno
  const char* object = nullptr;  // the path at hand, owned by the plan
};

/// One call of setrlimit, with equal soft and hard limits.
struct ResourceLimit {
  int resource;
  rlimit value;
};

/// A ViewStep without anything that allocates.
struct RawViewStep {
  int kind;  // ViewStep::Kind
  const char* target;
  const char* source;
  bool read_only;
  bool device;
};

/// Everything that the child needs. Its pointers lead into storage that outlives the call (owned by Launch,
/// launch.cpp).
struct ChildPlan {
  unsigned long namespaces = 0;  // CLONE_NEW*; 0 below `strict`
  int parent = -1;               // pidfd of the parent, to notice that the parent died meanwhile
  const char* user_map = nullptr;
  const char* group_map = nullptr;
  const char* mount_base = nullptr;  // an existing folder to build the view on
  std::span<const RawViewStep> view;
  const char* working_folder = nullptr;
  std::span<const ResourceLimit> limits;
  bool drop_capabilities = false;
  int landlock_ruleset = -1;
  bool own_proc = false;               // strict: mount the namespace's /proc
  unsigned long long proc_rights = 0;  // Landlock rights on the child's own /proc entries
  std::span<sock_filter> seccomp;      // bound to the child's pid in place
  int input = -1, output = -1, error = -1;
  std::span<const int> passed;  // become descriptors 3, 4, 5, ... of the child
  std::span<int> moved;         // scratch: passed.size() + 7
  char* const* arguments = nullptr;
  char* const* environment = nullptr;
  const char* program = nullptr;  // null: a rehearsal, which exits with status 0 in place of exec
  LaunchFailure failure;          // written by the child
};

/// Starts the child, and returns when it has called exec or failed. After a failure, plan.failure.step is
/// not `none` and the child is reaped. Returns the child's pid and sets `pidfd`, which the caller owns.
pid_t launch_child(ChildPlan& plan, int& pidfd);

}  // namespace ridgeline::sandbox
