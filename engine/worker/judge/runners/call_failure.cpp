#include "engine/worker/judge/runners/call_failure.hpp"
#include "engine/core/one_line.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <string.h>

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>

#include "engine/core/error.hpp"
#include "engine/worker/sandbox/process.hpp"

namespace ridgeline::judge {
namespace {

constexpr std::size_t kShownOutput = 2000;
constexpr std::uint64_t kNearArgument = std::uint64_t{1} << 20;  // the unmapped space around each argument

/// Whether `call` starts or steers a thread or a process. A kernel runs on one thread, so this is a mistake
/// about the contract, no attack.
bool is_thread_call(std::string_view call) {
  return call == "clone" || call == "clone3" || call == "fork" || call == "vfork" || call == "rt_sigaction" ||
         call.starts_with("sched_");
}

/// Whether not even a careless kernel makes this system call.
bool is_attack(std::string_view call) {
  constexpr std::array attacks{"socket",
                               "connect",
                               "ptrace",
                               "process_vm_readv",
                               "process_vm_writev",
                               "kill",
                               "bind",
                               "execve",
                               "execveat",
                               "unshare",
                               "mount",
                               "setsid",
                               "bpf",
                               "pidfd_open",
                               "perf_event_open",
                               "openat",
                               "open",
                               "unlink",
                               "mprotect",
                               "memfd_create",
                               "tgkill",
                               "tkill",
                               "socketpair",
                               "prctl"};
  return std::find(attacks.begin(), attacks.end(), call) != attacks.end();
}

std::string near_buffer(std::uint64_t address, const runner::Reply& mapping, const Arena& arena,
                        const Task& task) {
  const auto tensors = task.tensors();
  for (std::size_t a = 0; a < tensors.size() && a < arena.arguments(); ++a) {
    const auto base = mapping.bases.at(arena.memory_of(a));
    if (base == 0) continue;
    const std::uint64_t begin = base + arena.range_of(a).begin, end = base + arena.range_of(a).end;
    const auto& name = tensors[a]->name;
    if (address >= begin && address < end) return fmt::format("inside the memory of `{}`", name);
    if (address >= end && address - end < kNearArgument) return fmt::format("behind the end of `{}`", name);
    if (address < begin && begin - address <= kNearArgument)
      return fmt::format("before the begin of `{}`", name);
  }
  if (address < 4096) return "a null pointer";
  return fmt::format("0x{:x}, near no argument", address);
}

/// The input in whose memory a fault lies; empty if there is none. It must be mapped for reading: the fault
/// was a write then. A GPU's memory is not: a host that takes its address for its own faults by reading, too.
std::string written_input(std::uint64_t address, const runner::Reply& mapping, const Arena& arena,
                          const Task& task) {
  const auto tensors = task.tensors();
  for (std::size_t a = 0; a < tensors.size() && a < arena.arguments(); ++a) {
    const auto base = mapping.bases.at(arena.memory_of(a));
    const bool inside =
        base != 0 && address >= base + arena.range_of(a).begin && address < base + arena.range_of(a).end;
    if (inside && tensors[a]->role == Role::in && arena.read_only(arena.memory_of(a)))
      return tensors[a]->name;
  }
  return {};
}

void explain_signal(CallEnd& end, const RunnerExit& from, int signal) {
  const char* name = ::sigabbrev_np(signal);
  end.failure.signal = signal;
  end.failure.signal_name = name ? fmt::format("SIG{}", name) : fmt::format("signal {}", signal);
  end.result.reason = Reason::crashed;
  end.result.detail = fmt::format("the kernel was {}", sandbox::describe(from.outcome));
}

void explain_refused_call(CallEnd& end, const std::string& call) {
  end.result.reason = Reason::sandbox_violation;
  if (is_thread_call(call)) {
    end.result.detail = fmt::format(
        "the kernel started a thread or a process ({}); kernels run on one thread on the CPU", call);
    return;
  }
  end.result.detail =
      fmt::format("the kernel made a system call that a running kernel has no business with: {}",
                  call.empty() ? "(unknown)" : call);
  end.cheated = is_attack(call);
}

}  // namespace

CallEnd explain_end(const RunnerExit& end, double limit, const runner::Reply& mapping, const Arena* arena,
                    const Task& task) {
  CallEnd call;
  call.result.status = Status::failed;
  call.failure.output = (end.outcome.out + end.outcome.err).substr(0, kShownOutput);
  switch (end.cause) {
    case RunnerExit::Cause::hung:
      call.result.reason = Reason::timed_out;
      call.result.detail = fmt::format("no result within {:.1f} s", limit);
      return call;
    case RunnerExit::Cause::closed_channel:
      call.result.reason = Reason::exited;
      call.result.detail = "the kernel closed its process's channel to the judge";
      call.cheated = true;
      return call;
    case RunnerExit::Cause::forged:
      call.result.reason = Reason::sandbox_violation;
      call.result.detail = "the kernel wrote to the channel of its runner: results are the judge's to write";
      call.cheated = true;
      return call;
    case RunnerExit::Cause::unconfined:
      call.result.reason = Reason::sandbox_violation;
      call.result.detail = "a static constructor of the kernel kept its process from locking itself down";
      call.cheated = true;
      return call;
    case RunnerExit::Cause::not_stopped:
      call.result.reason = Reason::timed_out;
      call.result.detail =
          "a thread of the kernel's process went on after a call had returned, and could not be stopped";
      return call;
    case RunnerExit::Cause::ended:
      break;
  }
  switch (end.outcome.ending) {
    case sandbox::Ending::signalled:
      explain_signal(call, end, end.outcome.code);
      break;
    case sandbox::Ending::refused_syscall:
      explain_refused_call(call, end.outcome.refused_call);
      break;
    case sandbox::Ending::exited:
      call.result.reason = Reason::exited;
      call.result.detail =
          fmt::format("the kernel ended its process with status {} instead of returning", end.outcome.code);
      break;
    case sandbox::Ending::wall_limit:
    case sandbox::Ending::cpu_limit:
    case sandbox::Ending::idle_limit:
      call.result.reason = Reason::timed_out;
      call.result.detail = sandbox::describe(end.outcome);
      break;
    case sandbox::Ending::memory_limit:
      call.result.reason = Reason::memory_limit;
      call.result.detail = sandbox::describe(end.outcome);
      break;
    case sandbox::Ending::process_limit:
    case sandbox::Ending::output_limit:
      call.result.reason = Reason::sandbox_violation;
      call.result.detail = sandbox::describe(end.outcome);
      break;
    case sandbox::Ending::killed:
      call.result.reason = Reason::crashed;
      call.result.detail = "the kernel's process was killed from outside, perhaps for want of memory";
      break;
  }
  const bool addressed = call.failure.signal == SIGSEGV || call.failure.signal == SIGBUS;
  if (end.fault && addressed && arena)
    call.failure.address = near_buffer(end.fault->fault_address, mapping, *arena, task);
  if (call.failure.signal == SIGSEGV && end.fault && arena)
    if (const auto input = written_input(end.fault->fault_address, mapping, *arena, task); !input.empty()) {
      call.result.reason = Reason::input_modified;
      call.result.detail =
          fmt::format("the kernel wrote to the input `{}`, which is read-only; inputs are const", input);
      call.cheated = true;  // as where a changed input is found afterwards
    }
  if (!call.failure.address.empty() && call.result.reason == Reason::crashed)
    call.result.detail += fmt::format("; the address is {}", call.failure.address);
  return call;
}

StageResult explain_refusal(const runner::Reply& reply, bool interpreter) {
  StageResult result{.status = Status::failed};
  const auto text = in_one_line({reply.text.data(), reply.text_bytes});
  switch (reply.answer) {
    case runner::Answer::load_error:
      result.reason = interpreter ? Reason::raised : Reason::load_error;
      result.detail =
          interpreter ? text + " (while the module was made)" : "the library does not load: " + text;
      break;
    case runner::Answer::no_entry_point:
      result.reason = interpreter ? Reason::missing_entry_point : Reason::load_error;
      result.detail = interpreter ? text : "the library lacks the symbol " + text;
      break;
    case runner::Answer::call_error:
      result.reason = interpreter       ? Reason::raised
                      : reply.code != 0 ? Reason::launch_error
                                        : Reason::memory_limit;
      result.detail = text.empty() ? fmt::format("the call returned error {}", reply.code) : text;
      break;
    default:
      // The judge's mistake would show in its tests. A candidate may have broken its process, or answer so
      // itself, and is not spared for either.
      result.reason = Reason::crashed;
      result.detail = "its process no longer does what it is asked: " + text;
  }
  return result;
}

std::string place_of(const std::filesystem::path& library, std::uint64_t offset, sandbox::Isolation level) {
  if (offset == 0) return {};
  const auto plain = fmt::format("offset 0x{:x}", offset);
  const std::filesystem::path program = "/usr/bin/addr2line";
  if (!std::filesystem::exists(program)) return plain;
  sandbox::Limits limits;
  limits.wall_seconds = 2;
  limits.address_space = std::uint64_t{1} << 30;
  limits.kept_output = 4096;
  try {
    sandbox::Policy policy;
    policy.isolated(level)
        .with_profile(sandbox::SeccompProfile::compiler)
        .system_programs()
        .read(library.string())
        .limit(limits);
    auto outcome = sandbox::spawn(policy, {program.string(), "-f", "-C", "-s", "-e", library.string(),
                                           fmt::format("0x{:x}", offset)})
                       .wait();
    std::istringstream lines(outcome.out);
    std::string function, line;
    if (!outcome.ok() || !std::getline(lines, function) || function.empty() || function == "??") return plain;
    std::getline(lines, line);
    line = line.substr(0, line.find(" ("));  // "(discriminator 3)"
    const auto shown = function.substr(0, function.find('('));
    return line.empty() || line.starts_with("??") ? shown : shown + " at " + line;
  } catch (const Error&) {
    return plain;
  }
}

}  // namespace ridgeline::judge
