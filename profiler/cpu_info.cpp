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

namespace {

/// Asks the kernel for the size of one instance of a cache, as one core sees it; 0 where it does not say.
std::size_t bytes_by_kernel(const char* index) {
  std::ifstream file(std::string("/sys/devices/system/cpu/cpu0/cache/index") + index + "/size");
  std::size_t kilobytes = 0;
  return file >> kilobytes ? kilobytes << 10 : 0;
}

/// Asks glibc, which on some machines adds up all instances of a socket (384 MiB of L3 where a core reaches
/// 32), and on aarch64 knows none.
std::size_t bytes_by_glibc(int name) {
  return static_cast<std::size_t>(std::max(0L, ::sysconf(name)));
}

}  // namespace

std::vector<CacheLevel> cache_levels() {
  struct Known {
    const char* name;
    int sysconf_name;
    const char* index;
  };
  constexpr Known known[] = {{"L1", _SC_LEVEL1_DCACHE_SIZE, "0"},
                             {"L2", _SC_LEVEL2_CACHE_SIZE, "2"},
                             {"L3", _SC_LEVEL3_CACHE_SIZE, "3"},
                             {"L4", _SC_LEVEL4_CACHE_SIZE, "4"}};
  std::vector<CacheLevel> levels;
  for (const auto& cache : known) {
    auto bytes = bytes_by_kernel(cache.index);
    if (bytes == 0) bytes = bytes_by_glibc(cache.sysconf_name);
    // A level no larger than the one before it holds nothing more.
    if (bytes > (levels.empty() ? 0 : levels.back().bytes)) levels.push_back({cache.name, bytes});
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
