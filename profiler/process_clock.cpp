#include "profiler/process_clock.hpp"

#include <ctime>

namespace ridgeline::profiler {
namespace {

std::optional<double> read(clockid_t clock) {
  timespec now{};
  if (::clock_gettime(clock, &now) != 0) return std::nullopt;
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

}  // namespace

std::optional<double> process_cpu_seconds(pid_t pid) {
  clockid_t clock{};
  if (::clock_getcpuclockid(pid, &clock) != 0) return std::nullopt;
  return read(clock);
}

double thread_cpu_seconds() {
  return read(CLOCK_THREAD_CPUTIME_ID).value_or(0);
}

double wall_seconds() {
  return read(CLOCK_MONOTONIC).value_or(0);
}

}  // namespace ridgeline::profiler
