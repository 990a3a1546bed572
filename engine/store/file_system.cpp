#include "engine/store/file_system.hpp"

#include <sys/vfs.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "engine/core/error.hpp"

namespace ridgeline::store {
namespace {

// From linux/magic.h and the file systems' own sources; not every kernel's headers list all of them.
constexpr std::array<std::pair<std::uint32_t, std::string_view>, 15> network_types{{
    {0x6969, "NFS"},
    {0x0bd00bd0, "Lustre"},
    {0x01021997, "9p"},
    {0x65735546, "FUSE"},
    {0x517b, "SMB"},
    {0xff534d42, "CIFS"},
    {0xfe534d42, "SMB2"},
    {0x00c36400, "Ceph"},
    {0x5346414f, "AFS"},
    {0x6b414653, "kAFS"},
    {0x47504653, "GPFS"},
    {0x19830326, "BeeGFS"},
    {0x7461636f, "OCFS2"},
    {0x01161970, "GFS2"},
    {0x786f4256, "vboxsf"},
}};

}  // namespace

std::optional<std::string_view> network_file_system(std::int64_t type) {
  for (const auto& [type_number, name] : network_types)
    if (static_cast<std::uint32_t>(type) == type_number) return name;
  return std::nullopt;
}

std::int64_t file_system_type(const std::string& folder) {
  struct statfs facts{};
  if (statfs(folder.c_str(), &facts) != 0)
    throw MachineCannot("cannot read the folder " + folder + ": " + std::strerror(errno));
  return static_cast<std::int64_t>(facts.f_type);
}

}  // namespace ridgeline::store
