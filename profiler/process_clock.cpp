#include "profiler/process_clock.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <ctime>

namespace ridgeline::profiler {
namespace {

std::optional<double> seconds_on(clockid_t clock) {
  timespec now{};
  if (::clock_gettime(clock, &now) != 0) return std::nullopt;
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

}  // namespace

std::optional<double> process_cpu_seconds(pid_t pid) {
  clockid_t clock{};
  if (::clock_getcpuclockid(pid, &clock) != 0) return std::nullopt;
  return seconds_on(clock);
}

double thread_cpu_seconds() {
  return seconds_on(CLOCK_THREAD_CPUTIME_ID).value_or(0);
}

double waited_for_core(pid_t pid) {
  // No stream and no allocation: this runs between timed samples.
  std::array<char, 40> path{"/proc/thread-self/schedstat"};
  if (pid > 0) std::snprintf(path.data(), path.size(), "/proc/%d/schedstat", pid);
  const int file = ::open(path.data(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  std::array<char, 80> text{};  // "nanoseconds run, nanoseconds waited, time slices"
  const auto bytes = ::read(file, text.data(), text.size() - 1);
  ::close(file);
  unsigned long long ran = 0, waited = 0;
  if (bytes <= 0 || std::sscanf(text.data(), "%llu %llu", &ran, &waited) != 2) return 0;
  return static_cast<double>(waited) * 1e-9;
}

double wall_seconds() {
  return seconds_on(CLOCK_MONOTONIC).value_or(0);
}

}  // namespace ridgeline::profiler
