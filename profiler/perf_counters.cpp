#include "profiler/perf_counters.hpp"

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

namespace ridgeline::profiler {
namespace {

struct Event {
  const char* name;
  std::uint64_t config;
};
constexpr Event kEvents[] = {{"cycles", PERF_COUNT_HW_CPU_CYCLES},
                             {"instructions", PERF_COUNT_HW_INSTRUCTIONS},
                             {"llc_misses", PERF_COUNT_HW_CACHE_MISSES}};

int open_event(const Event& event, pid_t pid) {
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.config = event.config;
  // The kernel refuses to count itself for unprivileged users, so only user mode is counted.
  attributes.disabled = 1;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  return static_cast<int>(::syscall(SYS_perf_event_open, &attributes, pid, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

std::string reason_for(int error) {
  const std::string text = std::string("perf_event_open: ") + std::strerror(error);
  switch (error) {
    case EACCES:
    case EPERM:
      return text + "; fix: sysctl kernel.perf_event_paranoid=1, or allow the call in the container";
    case ENOENT:
    case ENODEV:
    case EOPNOTSUPP:
      return text +
             " (no hardware counters here, as in most virtual machines); fix: a machine or an instance "
             "type that passes its counters through";
    default:
      return text;
  }
}

}  // namespace

PerfCounters::PerfCounters(pid_t pid) {
  for (const auto& event : kEvents) {
    const int fd = open_event(event, pid);
    // The first refusal is the reason; a later event may be missing on its own.
    if (fd >= 0)
      open_.push_back({event.name, fd});
    else if (open_.empty() && access_.why_not.empty())
      access_.why_not = reason_for(errno);
  }
  access_.readable = !open_.empty();
  if (access_.readable) access_.why_not.clear();
}

PerfCounters::~PerfCounters() {
  for (const auto& counter : open_) ::close(counter.fd);
}

void PerfCounters::start() {
  for (const auto& counter : open_) {
    ::ioctl(counter.fd, PERF_EVENT_IOC_RESET, 0);
    ::ioctl(counter.fd, PERF_EVENT_IOC_ENABLE, 0);
  }
}

std::vector<Counter> PerfCounters::stop(double calls) {
  for (const auto& counter : open_) ::ioctl(counter.fd, PERF_EVENT_IOC_DISABLE, 0);
  std::vector<Counter> counters;
  for (const auto& counter : open_) {
    struct {
      std::uint64_t value, enabled, running;
    } read{};
    if (::read(counter.fd, &read, sizeof read) != static_cast<ssize_t>(sizeof read) || read.running == 0)
      continue;
    // Events may share the hardware in turns; the kernel says for how long each was enabled and running.
    const double share = static_cast<double>(read.enabled) / static_cast<double>(read.running);
    counters.push_back({counter.name, static_cast<double>(read.value) * share / calls, Source::perf});
  }
  return counters;
}

PerfAccess probe_perf_counters() {
  return PerfCounters(0).access();
}

}  // namespace ridgeline::profiler
