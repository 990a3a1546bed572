#include "engine/worker/sandbox/process_tree.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <ctime>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/file_descriptor.hpp"

namespace ridgeline::sandbox {
namespace {

/// Reads a whole file of /proc, whose size is not known before; "" if it is gone.
std::string read_small(const std::string& path) {
  FileDescriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  std::string text;
  std::array<char, 4096> block;
  while (file) {
    const auto got = ::read(file.get(), block.data(), block.size());
    if (got <= 0) break;
    text.append(block.data(), static_cast<std::size_t>(got));
  }
  return text;
}

/// Calls `visit` for each number in a text.
template <class Visit>
void each_number(std::string_view text, Visit visit) {
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at < end) {
    long value = 0;
    const auto parsed = std::from_chars(at, end, value);
    if (parsed.ec != std::errc{}) {
      ++at;
      continue;
    }
    visit(value);
    at = parsed.ptr;
  }
}

/// Calls `visit` for the children of all threads of a process.
template <class Visit>
void each_child(const std::string& process, Visit visit) {
  const std::string tasks = "/proc/" + process + "/task";
  std::unique_ptr<DIR, int (*)(DIR*)> folder{::opendir(tasks.c_str()), ::closedir};
  if (!folder) return;
  while (const dirent* entry = ::readdir(folder.get()))
    if (entry->d_name[0] != '.')
      each_number(read_small(tasks + "/" + entry->d_name + "/children"),
                  [&](long pid) { visit(static_cast<pid_t>(pid)); });
}

std::uint64_t resident_bytes(pid_t pid) {
  static const auto page = static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
  // The second number of statm is the resident pages.
  std::uint64_t pages = 0;
  int column = 0;
  each_number(read_small("/proc/" + std::to_string(pid) + "/statm"), [&](long value) {
    if (column++ == 1) pages = static_cast<std::uint64_t>(value);
  });
  return pages * page;
}

/// Returns the number behind `key` in a process's status; empty if it is gone or its kernel says none.
std::optional<long> status_value(pid_t pid, std::string_view key) {
  const auto status = read_small("/proc/" + std::to_string(pid) + "/status");
  const auto at = status.find(key);
  if (at == std::string::npos) return std::nullopt;
  std::optional<long> last;
  const auto line = std::string_view(status).substr(at + key.size());
  each_number(line.substr(0, line.find('\n')), [&](long value) { last = value; });
  return last;
}

}  // namespace

std::optional<double> cpu_time(pid_t pid) {
  clockid_t clock;
  timespec time{};
  if (::clock_getcpuclockid(pid, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return std::nullopt;
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

std::optional<unsigned> seccomp_filters(pid_t pid) {
  const auto filters = status_value(pid, "\nSeccomp_filters:");
  return filters ? std::optional(static_cast<unsigned>(*filters)) : std::nullopt;
}

std::uint64_t data_bytes(pid_t pid) {
  return static_cast<std::uint64_t>(status_value(pid, "\nVmData:").value_or(0)) * 1024;  // said in KiB
}

bool sees_children() {
  static const bool lists = ::access("/proc/thread-self/children", R_OK) == 0;
  return lists;
}

TreeSize measure_tree(pid_t leader, unsigned most) {
  TreeSize size;
  std::vector<pid_t> waiting = {leader};
  each_child("self", [&](pid_t pid) {
    if (pid != leader && ::getpgid(pid) == leader) waiting.push_back(pid);
  });
  // A fork bomb may grow while it is measured, hence the bound.
  while (!waiting.empty() && size.processes <= most) {
    const pid_t pid = waiting.back();
    waiting.pop_back();
    ++size.processes;
    size.resident += resident_bytes(pid);
    size.cpu_seconds += cpu_time(pid).value_or(0);
    each_child(std::to_string(pid), [&](pid_t child) { waiting.push_back(child); });
  }
  return size;
}

}  // namespace ridgeline::sandbox
