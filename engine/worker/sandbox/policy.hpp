// Describes what a confined child may see, use and spend: plain data, filled by chained calls, checked when
// it is used.
//
// The child inherits nothing: no environment, no descriptor beyond those passed, no working folder. There is
// no network at any level above `none`, and no switch for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/worker/sandbox/isolation.hpp"

namespace ridgeline::sandbox {

/// The system calls that are allowed from exec on. A runner narrows its own further (lockdown.hpp).
enum class SeccompProfile {
  compiler,        // refused calls fail with EPERM, which compilers cope with
  runner_loading,  // refused calls end in SIGSYS, since a runner has no honest need of them
  device_runner,   // as `compiler`, for a GPU driver, which copes with refusals
};

enum class PathUse { read, write, execute };  // each includes `read`

/// A path that the child may use.
struct PathRule {
  std::string path;  // absolute; a folder includes everything below it
  PathUse use = PathUse::read;
  bool device = false;    // a device node: its ioctls are allowed and its mount keeps devices
  bool optional = false;  // its absence is no error
};

/// The child's access to its own entries of /proc. CUDA needs `write` (it names its threads through
/// .../comm).
enum class ProcAccess { none, read, write };

/// Limits of a sandbox; absent means unlimited. Sizes in bytes, times in seconds.
struct Limits {
  std::optional<std::uint64_t> data;  // RLIMIT_DATA: heap and private writable mappings
  std::optional<std::uint64_t>
      address_space;  // RLIMIT_AS: for compilers only, since CUDA reserves far more than it uses
  std::optional<std::uint64_t> file_size;
  std::optional<std::uint64_t> open_files;
  std::optional<std::uint64_t> processes;  // of the sandbox; watched, and RLIMIT_NPROC in `strict`
  std::optional<double> cpu_seconds;       // of one process; the kernel rounds up to whole seconds
  std::optional<double> wall_seconds;      // from spawn to end
  std::optional<double> idle_seconds;      // in which no process of the sandbox computes (idle_watch.hpp)
  std::optional<std::uint64_t>
      resident;  // watched, of the whole sandbox; without what was granted (Child::grant)
  std::optional<std::uint64_t> output;    // stdout and stderr together; the child is killed if it writes more
  std::uint64_t kept_output = 64 * 1024;  // the beginning of each stream that is kept
  double watch_interval = 0.02;           // how often resident size, processes and CPU time are read
};

/// Everything that `spawn` needs to know about a child.
struct Policy {
  Isolation level = Isolation::strict;
  SeccompProfile profile = SeccompProfile::runner_loading;
  std::vector<PathRule> paths;
  std::vector<std::pair<std::string, std::string>> environment;
  std::string working_folder = "/";
  ProcAccess proc = ProcAccess::none;
  Limits limits;

  Policy& isolated(Isolation l) { return level = l, *this; }
  Policy& with_profile(SeccompProfile p) { return profile = p, *this; }
  Policy& read(std::string path) { return add({std::move(path), PathUse::read}); }
  Policy& write(std::string path) { return add({std::move(path), PathUse::write}); }
  Policy& execute(std::string path) { return add({std::move(path), PathUse::execute}); }
  Policy& device(std::string path) { return add({std::move(path), PathUse::write, true}); }
  Policy& add(PathRule rule) { return paths.push_back(std::move(rule)), *this; }
  Policy& env(std::string name, std::string value) {
    return environment.emplace_back(std::move(name), std::move(value)), *this;
  }
  Policy& in(std::string folder) { return working_folder = std::move(folder), *this; }
  Policy& with_proc(ProcAccess access) { return proc = access, *this; }
  Policy& limit(Limits l) { return limits = l, *this; }

  /// Adds the shared libraries of the system, the dynamic loader (executable), /dev/null, zero and urandom.
  Policy& system_libraries();
  /// Adds all of /usr, executable, for compilers, and what system_libraries() adds.
  Policy& system_programs();
};

}  // namespace ridgeline::sandbox
