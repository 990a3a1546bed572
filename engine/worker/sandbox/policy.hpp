// What a confined child may see, use and spend: plain data, filled fluently, checked when it is used.
//
// Nothing is inherited: no environment, no descriptor beyond those passed, no working folder. There is no
// network at any level above `none`, and no switch for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/worker/sandbox/isolation.hpp"

namespace ridgeline::sandbox {

/// The system calls allowed from exec on. A runner narrows its own further (lockdown.hpp).
enum class SeccompProfile {
  compiler,        // what is refused fails with EPERM: compilers cope
  runner_loading,  // what is refused is SIGSYS: a runner has no honest need of it
  device_runner,   // as `compiler`, for a driver that tries what it may not and copes
};

enum class PathUse { read, write, execute };  // each includes `read`

struct PathRule {
  std::string path;  // absolute; a folder stands for everything below it
  PathUse use = PathUse::read;
  bool device = false;    // a device node: its ioctls are allowed and its mount keeps devices
  bool optional = false;  // absent on this machine is not an error
};

/// The child's own entries of /proc. CUDA needs `write` (it names its threads through .../comm).
enum class ProcAccess { none, read, write };

/// Absent means unlimited. Sizes in bytes, times in seconds.
struct Limits {
  std::optional<std::uint64_t> data;           // RLIMIT_DATA: heap and private writable mappings
  std::optional<std::uint64_t> address_space;  // RLIMIT_AS: compilers only, CUDA cannot live with it
  std::optional<std::uint64_t> file_size;
  std::optional<std::uint64_t> open_files;
  std::optional<std::uint64_t> processes;  // of the sandbox; watched, and RLIMIT_NPROC where it counts right
  std::optional<double> cpu_seconds;       // of one process, by the kernel, rounded up to a second
  std::optional<double> wall_seconds;      // from spawn to end
  std::optional<std::uint64_t> resident;  // watched, over the sandbox; but for what is granted (Child::grant)
  std::optional<std::uint64_t> output;    // stdout and stderr together; more of it kills
  std::uint64_t kept_output = 64 * 1024;  // the head of each stream that is kept
  double watch_interval = 0.02;           // how often resident size, processes and CPU time are looked at
};

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

  /// The shared libraries of the system, the dynamic loader (executable), /dev/null, zero and urandom.
  Policy& system_libraries();
  /// The whole of /usr, executable, for compilers; and what system_libraries() has.
  Policy& system_programs();
};

}  // namespace ridgeline::sandbox
