#include "engine/worker/runner/mapped_arguments.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

namespace ridgeline::runner {

namespace {
constexpr std::size_t kHostGuard = 1ULL << 20;  // bytes; an overrun faults before it reaches other buffers
}

bool MappedArguments::map(std::span<int> descriptors, std::span<const std::uint64_t> bytes) noexcept {
  unmap();
  bool good = true;
  for (std::size_t i = 0; i < descriptors.size(); ++i) {
    Area area{nullptr, nullptr, static_cast<std::size_t>(bytes[i])};
    // The guards are reserved together with the data, so that nothing else can be mapped between them.
    void* reserved = ::mmap(nullptr, area.bytes + 2 * kHostGuard, PROT_NONE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (reserved != MAP_FAILED) {
      area.reserved = static_cast<std::byte*>(reserved);
      const auto map_for = [&](int access) {
        return ::mmap(area.reserved + kHostGuard, area.bytes, access, MAP_SHARED | MAP_FIXED | MAP_POPULATE,
                      descriptors[i], 0);
      };
      void* data = map_for(PROT_READ | PROT_WRITE);
      // The kernel refuses to write through a descriptor that is open for reading alone, now and ever.
      if (data == MAP_FAILED && errno == EACCES) data = map_for(PROT_READ);
      if (data != MAP_FAILED) area.data = static_cast<std::byte*>(data);
      areas_[count_++] = area;
    }
    good = good && area.data != nullptr;  // goes on, so that every descriptor is closed
    ::close(descriptors[i]);
  }
  return good;
}

void MappedArguments::unmap() noexcept {
  for (std::size_t i = 0; i < count_; ++i) ::munmap(areas_[i].reserved, areas_[i].bytes + 2 * kHostGuard);
  count_ = 0;
}

}  // namespace ridgeline::runner
