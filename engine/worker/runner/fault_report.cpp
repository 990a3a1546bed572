#include "engine/worker/runner/fault_report.hpp"

#include <sys/mman.h>
#include <ucontext.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>

#include "engine/core/error.hpp"
#include "engine/worker/runner/channel.hpp"
#include "engine/worker/runner/wire.hpp"

namespace ridgeline::runner {
namespace {

constexpr std::size_t kStackBytes = std::size_t{64} << 10;

// Globals, since a signal handler gets no argument of ours.
struct {
  int channel = -1;
  std::uintptr_t load_address = 0;
  std::uintptr_t end = 0;
} place;

bool in_candidate(std::uintptr_t address) {
  return address > place.load_address && address < place.end;
}

std::uintptr_t instruction_of(const ucontext_t& context) {
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return context.uc_mcontext.pc;
#endif
}

std::uintptr_t stack_of(const ucontext_t& context) {
#if defined(__x86_64__)
  return static_cast<std::uintptr_t>(context.uc_mcontext.gregs[REG_RSP]);
#elif defined(__aarch64__)
  return context.uc_mcontext.sp;
#endif
}

/// Sends one report. It uses nothing that allocates or locks: the fault may have struck within malloc.
void on_fault(int signal, siginfo_t* info, void* raw) {
  const auto& context = *static_cast<const ucontext_t*>(raw);
  Reply reply;
  reply.answer = Answer::fault;
  reply.code = signal;
  reply.fault_address = reinterpret_cast<std::uintptr_t>(info->si_addr);
  const auto instruction = instruction_of(context);
  if (in_candidate(instruction)) reply.fault_offset = instruction - place.load_address;
  const bool known = reply.fault_offset != 0;
  // The fault lies in a library that the candidate called: search the stack for a return address into the
  // candidate. SA_RESETHAND has removed this handler, so a fault of this search ends the process, unreported,
  // and does not loop.
  if (!known) {
    const auto* frame = reinterpret_cast<const std::uintptr_t*>(stack_of(context) & ~std::uintptr_t{7});
    const auto page_left = (4096 - (reinterpret_cast<std::uintptr_t>(frame) & 4095)) / sizeof *frame;
    const auto own = reply.fault_address ^ reinterpret_cast<std::uintptr_t>(frame);
    if (own >= 4096)  // no stack overflow, so this page of the stack is readable
      for (std::size_t i = 0; i < page_left && reply.fault_offset == 0; ++i)
        if (in_candidate(frame[i])) reply.fault_offset = frame[i] - 1 - place.load_address;
  }
  send_packet(place.channel, &reply, sizeof reply);
}

}  // namespace

void report_faults_to(int channel) {
  place.channel = channel;
  void* stack = ::mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  stack_t alternate{};
  alternate.ss_sp = stack;
  alternate.ss_size = kStackBytes;
  if (stack == MAP_FAILED || ::sigaltstack(&alternate, nullptr) != 0)
    throw MachineCannot(std::string("a stack for signal handlers: ") + std::strerror(errno));
  struct sigaction action{};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | static_cast<int>(SA_RESETHAND);
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL})
    if (::sigaction(signal, &action, nullptr) != 0)
      throw MachineCannot(std::string("sigaction: ") + std::strerror(errno));
}

void set_candidate_range(std::uintptr_t load_address, std::uintptr_t end) {
  place.load_address = load_address;
  place.end = end;
}

}  // namespace ridgeline::runner
