#include "engine/worker/sandbox/landlock.hpp"

#include <fcntl.h>
#include <linux/landlock.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstring>

#include "engine/core/error.hpp"

namespace ridgeline::sandbox::landlock {
namespace {

// Constants newer than the headers of Debian 12; the running kernel's ABI says which of them it knows.
constexpr std::uint64_t kTruncate = 1ULL << 14;                                    // ABI 3
constexpr std::uint64_t kIoctlDevice = 1ULL << 15;                                 // ABI 5
constexpr std::uint64_t kNetBindTcp = 1ULL << 0, kNetConnectTcp = 1ULL << 1;       // ABI 4
constexpr std::uint64_t kScopeAbstractUnix = 1ULL << 0, kScopeSignal = 1ULL << 1;  // ABI 6

struct RulesetAttributes {  // the kernel accepts any prefix that its ABI knows
  std::uint64_t fs = 0;
  std::uint64_t net = 0;
  std::uint64_t scoped = 0;
};

FileDescriptor create_ruleset(int abi) {
  RulesetAttributes attributes{.fs = handled_rights(abi)};
  std::size_t size = sizeof(attributes.fs);
  if (abi >= 4) {
    attributes.net = kNetBindTcp | kNetConnectTcp;
    size = offsetof(RulesetAttributes, scoped);
  }
  if (abi >= 6) {
    attributes.scoped = kScopeAbstractUnix | kScopeSignal;
    size = sizeof attributes;
  }
  FileDescriptor ruleset{static_cast<int>(::syscall(SYS_landlock_create_ruleset, &attributes, size, 0))};
  if (!ruleset)
    throw MachineCannot(std::string{"landlock_create_ruleset: "} + std::strerror(errno) +
                        "; fix: boot with landlock in lsm=, or use `isolation: none`");
  return ruleset;
}

}  // namespace

int abi() {
  const long version = ::syscall(SYS_landlock_create_ruleset, nullptr, 0, LANDLOCK_CREATE_RULESET_VERSION);
  return version > 0 ? static_cast<int>(version) : 0;
}

std::uint64_t handled_rights(int abi) {
  std::uint64_t rights = (LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1;  // ABI 1: everything up to symlinks
  if (abi >= 2) rights |= LANDLOCK_ACCESS_FS_REFER;
  if (abi >= 3) rights |= kTruncate;
  if (abi >= 5) rights |= kIoctlDevice;
  return rights;
}

std::uint64_t rights_for(PathUse use, bool device, bool folder, int abi) {
  std::uint64_t rights = LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR;
  if (use == PathUse::execute) rights |= LANDLOCK_ACCESS_FS_EXECUTE;
  if (use == PathUse::write)  // regular files and folders only: no device, socket or FIFO can be made
    rights |= LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |
              LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SYM |
              LANDLOCK_ACCESS_FS_REFER | kTruncate;
  if (device) rights |= kIoctlDevice;
  if (!folder)
    rights &= LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_READ_FILE |
              kTruncate | kIoctlDevice;
  return rights & handled_rights(abi);
}

FileDescriptor make_ruleset(const Policy& policy, int abi) {
  FileDescriptor ruleset = create_ruleset(abi);
  for (const auto& rule : policy.paths) {
    FileDescriptor path{::open(rule.path.c_str(), O_PATH | O_CLOEXEC)};
    if (!path && rule.optional) continue;
    struct stat info{};
    if (!path || ::fstat(path.get(), &info) != 0)
      throw BadInput("sandbox path " + rule.path + ": " + std::strerror(errno));
    const auto rights = rights_for(rule.use, rule.device, S_ISDIR(info.st_mode), abi);
    if (add_folder(ruleset.get(), path.get(), rights) != 0)
      throw MachineCannot("landlock_add_rule for " + rule.path + ": " + std::strerror(errno));
  }
  return ruleset;
}

int add_folder(int ruleset, int folder_fd, std::uint64_t rights) noexcept {
  struct landlock_path_beneath_attr beneath{};
  beneath.allowed_access = rights;
  beneath.parent_fd = folder_fd;
  return static_cast<int>(::syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &beneath, 0));
}

int restrict_self(int ruleset) noexcept {
  return static_cast<int>(::syscall(SYS_landlock_restrict_self, ruleset, 0));
}

}  // namespace ridgeline::sandbox::landlock
