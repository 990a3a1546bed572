#include "engine/posix/child_exit.hpp"

namespace ridgeline::posix {

ChildExit exit_of_status(int status) {
  if (WIFSIGNALED(status)) return {true, WTERMSIG(status)};
  return {false, WEXITSTATUS(status)};
}

ChildExit exit_of(const siginfo_t& info) {
  // CLD_KILLED and CLD_DUMPED both name a signal.
  return {info.si_code != CLD_EXITED, info.si_status};
}

std::string describe(const ChildExit& end) {
  auto words = (end.signalled ? "killed by signal " : "exit status ") + std::to_string(end.code);
  if (!end.limit.empty()) words += " at its limit of " + end.limit;
  return words;
}

}  // namespace ridgeline::posix
