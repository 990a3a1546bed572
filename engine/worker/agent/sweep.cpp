#include "engine/worker/agent/sweep.hpp"

#include <sys/types.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace ridgeline::agent {

void kill_children() {
  std::error_code error;
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", error)) {
    std::ifstream children(thread.path() / "children");
    for (pid_t child = 0; children >> child;) {
      ::kill(-child, SIGKILL);  // fails where it leads no group: then the next line is all there is
      ::kill(child, SIGKILL);
    }
  }
}

}  // namespace ridgeline::agent
