#include "engine/worker/sandbox/outcome.hpp"

#include <charconv>
#include <csignal>
#include <cstring>
#include <string_view>

#include "engine/worker/sandbox/lockdown.hpp"
#include "engine/worker/sandbox/seccomp_filter.hpp"

namespace ridgeline::sandbox {
namespace {

/// Told by the runner's own handler, so a claim: it informs, it decides nothing.
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

Outcome classify(std::optional<Ending> cause, const ExitFacts& facts, const Limits& limits) {
  Outcome outcome;
  outcome.cpu_seconds = facts.cpu_seconds;
  const double share = limits.cpu_seconds ? facts.cpu_seconds / *limits.cpu_seconds : 0;
  const auto& [signalled, code, limit] = facts.exit;
  int signal = signalled ? code : 0;
  if (!signalled && facts.level == Isolation::strict && code > 128 && code <= 128 + SIGSYS)
    signal = code - 128;

  if (cause) {
    outcome.ending = *cause;
  } else if (signal == SIGSYS) {
    outcome.ending = Ending::refused_syscall;
    outcome.code = signal;
    outcome.refused_call = refused_call(facts.err);
  } else if (signal == SIGXCPU || (signal == SIGKILL && share > kSampledShare) ||
             (!signal && code != 0 && share >= 1)) {
    outcome.ending = Ending::cpu_limit;  // also a compiler's driver that reports its killed half
  } else if (signal != 0) {
    outcome.ending = Ending::signalled;
    outcome.code = signal;
  } else {
    outcome.code = code;
  }
  return outcome;
}

std::string describe(const Outcome& outcome) {
  switch (outcome.ending) {
    case Ending::exited:
      return "exited with status " + std::to_string(outcome.code);
    case Ending::signalled: {
      const char* name = ::sigabbrev_np(outcome.code);
      return std::string{"ended by SIG"} + (name ? name : "?") + " (" + ::strsignal(outcome.code) + ")";
    }
    case Ending::refused_syscall:
      return "made a system call that is not allowed" +
             (outcome.refused_call.empty() ? "" : ": " + outcome.refused_call);
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
