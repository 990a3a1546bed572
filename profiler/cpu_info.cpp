#include "profiler/cpu_info.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace ridgeline::profiler {

std::string cpu_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    const auto colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  return "unknown CPU";
}

std::size_t last_level_cache_bytes() {
  for (const int level : {_SC_LEVEL4_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE, _SC_LEVEL2_CACHE_SIZE})
    if (const long bytes = ::sysconf(level); bytes > 0) return static_cast<std::size_t>(bytes);
  // glibc knows no cache sizes on aarch64; the kernel may.
  for (const char* index : {"3", "2"}) {
    std::ifstream file(std::string("/sys/devices/system/cpu/cpu0/cache/index") + index + "/size");
    std::size_t kilobytes = 0;
    if (file >> kilobytes && kilobytes > 0) return kilobytes << 10;
  }
  return std::size_t{32} << 20;
}

double total_memory() {
  const double physical =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  std::ifstream file("/sys/fs/cgroup/memory.max");  // "max" where the group has no bound
  double bound = 0;
  return file >> bound && bound > 0 ? std::min(bound, physical) : physical;
}

}  // namespace ridgeline::profiler
