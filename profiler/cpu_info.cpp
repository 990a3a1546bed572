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

std::vector<CacheLevel> cache_levels() {
  struct Known {
    const char* name;
    int sysconf_name;
    const char* index;  // where the kernel tells what glibc does not, as on aarch64
  };
  constexpr Known known[] = {{"L1", _SC_LEVEL1_DCACHE_SIZE, "0"},
                             {"L2", _SC_LEVEL2_CACHE_SIZE, "2"},
                             {"L3", _SC_LEVEL3_CACHE_SIZE, "3"},
                             {"L4", _SC_LEVEL4_CACHE_SIZE, "4"}};
  std::vector<CacheLevel> levels;
  for (const auto& one : known) {
    auto bytes = static_cast<std::size_t>(std::max(0L, ::sysconf(one.sysconf_name)));
    std::ifstream file(std::string("/sys/devices/system/cpu/cpu0/cache/index") + one.index + "/size");
    if (std::size_t kilobytes = 0; bytes == 0 && file >> kilobytes) bytes = kilobytes << 10;
    // A machine may report a level as no larger than the one before; it holds nothing more then.
    if (bytes > (levels.empty() ? 0 : levels.back().bytes)) levels.push_back({one.name, bytes});
  }
  return levels;
}

std::size_t last_level_cache_bytes() {
  const auto levels = cache_levels();
  return levels.size() > 1 ? levels.back().bytes : std::size_t{32} << 20;
}

double total_memory() {
  const double physical =
      static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  std::ifstream file("/sys/fs/cgroup/memory.max");  // "max" where the group has no bound
  double bound = 0;
  return file >> bound && bound > 0 ? std::min(bound, physical) : physical;
}

}  // namespace ridgeline::profiler
