#include "engine/worker/sandbox/confined_exit.hpp"

#include <charconv>
#include <csignal>
#include <cstring>
#include <string_view>

#include "engine/worker/sandbox/lockdown.hpp"
#include "engine/worker/sandbox/seccomp_filter.hpp"

namespace ridgeline::sandbox {
namespace {

/// Returns the name of the call that the runner's own handler wrote to stderr. A candidate could write it
/// too, so it informs and decides nothing.
std::string refused_call(std::string_view err) {
  const auto at = err.rfind(kRefusedCallNotice);
  if (at == std::string_view::npos) return {};
  const std::string_view digits = err.substr(at + kRefusedCallNotice.size());
  int number = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return parsed.ec == std::errc{} ? seccomp::syscall_name(number) : std::string{};
}

/// The kernel's limit counts clock ticks and its report exact time: an unexplained SIGKILL this near the
/// limit is the limit.
constexpr double kSampledShare = 0.8;

}  // namespace

ConfinedExit classify(std::optional<Ending> cause, const ExitFacts& facts, const Limits& limits) {
  ConfinedExit exit;
  exit.cpu_seconds = facts.cpu_seconds;
  const double share = limits.cpu_seconds ? facts.cpu_seconds / *limits.cpu_seconds : 0;
  const auto& [signalled, code, limit] = facts.exit;
  int signal = signalled ? code : 0;
  if (!signalled && facts.level == Isolation::strict && code > 128 && code <= 128 + SIGSYS)
    signal = code - 128;

  if (cause) {
    exit.ending = *cause;
  } else if (signal == SIGSYS) {
    exit.ending = Ending::refused_syscall;
    exit.code = signal;
    exit.refused_call = refused_call(facts.err);
  } else if (signal == SIGXCPU || (signal == SIGKILL && share > kSampledShare) ||
             (!signal && code != 0 && share >= 1)) {
    exit.ending = Ending::cpu_limit;  // also a compiler's driver that reports its killed half
  } else if (signal != 0) {
    exit.ending = Ending::signalled;
    exit.code = signal;
  } else {
    exit.code = code;
  }
  return exit;
}

std::string describe(const ConfinedExit& exit) {
  switch (exit.ending) {
    case Ending::exited:
      return "exited with status " + std::to_string(exit.code);
    case Ending::signalled: {
      const char* name = ::sigabbrev_np(exit.code);
      return std::string{"ended by SIG"} + (name ? name : "?") + " (" + ::strsignal(exit.code) + ")";
    }
    case Ending::refused_syscall:
      return "made a system call that is not allowed" +
             (exit.refused_call.empty() ? "" : ": " + exit.refused_call);
    case Ending::wall_limit:
      return "stopped at its time limit";
    case Ending::cpu_limit:
      return "stopped at its limit of CPU time";
    case Ending::memory_limit:
      return "stopped at its limit of memory";
    case Ending::process_limit:
      return "stopped at its limit of processes";
    case Ending::output_limit:
      return "stopped at its limit of output";
    case Ending::killed:
      return "stopped by the worker";
    case Ending::idle_limit:
      return "stopped since it waited and computed nothing";
  }
  return "?";
}

}  // namespace ridgeline::sandbox
