// The processes below this one, as /proc shows them.
#pragma once

#include <csignal>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace ridgeline::bench {

struct Process {
  pid_t pid = 0;
  pid_t parent = 0;
  std::string name;    ///< the kernel's: at most 15 characters
  bool ended = false;  ///< and not yet waited for
};

/// One line of /proc/PID/stat: "pid (name) state parent …"; the name may hold anything.
inline bool read_stat(const std::filesystem::path& folder, Process& process) {
  std::ifstream file(folder / "stat");
  std::string line;
  if (!std::getline(file, line)) return false;
  const auto open = line.find('('), close = line.rfind(')');
  if (open == std::string::npos || close == std::string::npos || close + 4 > line.size()) return false;
  process.pid = std::stoi(line);
  process.name = line.substr(open + 1, close - open - 1);
  process.ended = line[close + 2] == 'Z';
  process.parent = std::stoi(line.substr(close + 4));
  return true;
}

inline std::vector<Process> descendants(pid_t root) {
  std::multimap<pid_t, Process> children;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    Process process;
    if (read_stat(entry.path(), process) && !process.ended) children.emplace(process.parent, process);
  }
  std::vector<Process> found;
  std::vector<pid_t> open{root};
  while (!open.empty()) {
    const auto [begin, end] = children.equal_range(open.back());
    open.pop_back();
    for (auto at = begin; at != end; ++at) {
      found.push_back(at->second);
      open.push_back(at->second.pid);
    }
  }
  return found;
}

}  // namespace ridgeline::bench
