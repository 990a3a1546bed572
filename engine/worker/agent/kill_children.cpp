#include "engine/worker/agent/kill_children.hpp"

#include <sys/types.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace ridgeline::agent {

void kill_children() {
  std::error_code error;
  // /proc/…/children lists only the children of one thread, so all threads are read.
  for (const auto& thread : std::filesystem::directory_iterator("/proc/self/task", error)) {
    std::ifstream children(thread.path() / "children");
    for (pid_t child = 0; children >> child;) {
      ::kill(-child, SIGKILL);  // fails if the child leads no group; the next line then kills it alone
      ::kill(child, SIGKILL);
    }
  }
}

}  // namespace ridgeline::agent
