// Starts the test program as a confined child, for all tests of the room.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "engine/core/error.hpp"
#include "engine/worker/sandbox/process.hpp"
#include "misbehave.hpp"

// A sanitized child reserves terabytes, reads its own maps, and takes signals for itself.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define RIDGELINE_SANITIZED 1
#else
#define RIDGELINE_SANITIZED 0
#endif

namespace ridgeline::sandbox {

/// Names a test's instances by their level.
inline std::string isolation_name(const testing::TestParamInfo<Isolation>& info) {
  return std::string{to_string(info.param)};
}

inline std::string own_program() {
  return std::filesystem::read_symlink("/proc/self/exe").string();
}

/// Room for an ordinary small program, and limits so wide that only the test's own bites.
inline Policy ordinary(Isolation level, SeccompProfile profile = SeccompProfile::runner_loading) {
  Policy policy;
  policy.isolated(level).with_profile(profile).system_libraries().execute(own_program());
  policy.limits = {.open_files = 64, .cpu_seconds = 60, .wall_seconds = 120};
#if RIDGELINE_SANITIZED
  const char* const options = "detect_leaks=0:handle_segv=0:handle_abort=0:handle_sigbus=0";
  policy.with_proc(ProcAccess::read).env("ASAN_OPTIONS", options).env("TSAN_OPTIONS", options);
#endif
  return policy;
}

inline ConfinedExit misbehave_under(const Policy& policy, std::vector<std::string> danger,
                                    const std::vector<int>& passed = {}, std::uint64_t granted = 0) {
  danger.insert(danger.begin(), {own_program(), "--misbehave"});
  auto child = spawn(policy, danger, passed);
  child.grant(granted);
  return child.wait();
}

/// A folder of the test's own under the system's temporary folder, removed at the end.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "ridgeline-sandbox-XXXXXX").string();
    if (!::mkdtemp(pattern.data())) throw std::runtime_error("mkdtemp");
    path_ = pattern;
  }
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  std::filesystem::path path() const { return path_; }
  std::string file(const std::string& name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

/// Every test of this fixture runs in `strict` and in `standard`.
class Sandbox : public testing::TestWithParam<Isolation> {
 protected:
  Policy policy(SeccompProfile profile = SeccompProfile::runner_loading) const {
    return ordinary(GetParam(), profile);
  }
  ScratchFolder scratch_;
};

}  // namespace ridgeline::sandbox
