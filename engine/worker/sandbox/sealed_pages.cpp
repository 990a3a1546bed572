#include "engine/worker/sandbox/sealed_pages.hpp"

#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string>

#include "engine/core/error.hpp"

namespace ridgeline::sandbox {
namespace {

constexpr std::uint32_t kLoad = BPF_LD | BPF_W | BPF_ABS;
constexpr std::uint32_t kEnd =
    kSealedPages + kSealedBytes;  // of 32 bits: addresses with a high word are above

/// Writes the guard. The accumulator holds the number of the call at the begin and the end of each part.
class Guard {
 public:
  Guard() { load_number(); }

  /// Traps calls whose argument is an address below the pages' end.
  void high_address(long call, unsigned argument) {
    if_call(call, 5);
    trap_low(argument);
    load_number();
  }

  /// Traps them too, except an address of 0, by which the kernel chooses, unless the mapping is fixed there.
  void high_address_or_chosen(long call) {
    if_call(call, 8);
    add(BPF_STMT(kLoad, high(0)));
    add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 6));
    add(BPF_STMT(kLoad, low(0)));
    add(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, kEnd, 4, 0));
    add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 2));
    add(BPF_STMT(kLoad, low(3)));
    add(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, MAP_FIXED, 0, 1));
    trap();
    load_number();
  }

  /// Traps a move to below the pages' end.
  void high_target(long call) {
    if_call(call, 7);
    add(BPF_STMT(kLoad, low(3)));
    add(BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, MREMAP_FIXED, 0, 5));
    trap_low(4);
    load_number();
  }

  /// Traps calls of seccomp but those that lay the sealed filter on every thread.
  void only_filter(const sock_fprog* sealed) {
    const auto address = reinterpret_cast<std::uintptr_t>(sealed);
    if_call(SYS_seccomp, 9);
    add(BPF_STMT(kLoad, low(0)));
    add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SECCOMP_SET_MODE_FILTER, 0, 6));
    add(BPF_STMT(kLoad, low(1)));
    add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SECCOMP_FILTER_FLAG_TSYNC, 0, 4));
    add(BPF_STMT(kLoad, high(2)));
    add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(address >> 32), 0, 2));
    add(BPF_STMT(kLoad, low(2)));
    add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(address), 1, 0));
    trap();
    load_number();
  }

  seccomp::Program take() { return std::move(program_); }

 private:
  // Where seccomp_data has the words of an argument, on a machine with the low word first.
  static constexpr std::uint32_t low(unsigned argument) {
    return static_cast<std::uint32_t>(offsetof(seccomp_data, args) + 8 * argument);
  }
  static constexpr std::uint32_t high(unsigned argument) { return low(argument) + 4; }

  void add(sock_filter step) { program_.push_back(step); }
  void load_number() { add(BPF_STMT(kLoad, offsetof(seccomp_data, nr))); }
  void trap() { add(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRAP)); }
  /// Skips the next `steps` steps in any other call.
  void if_call(long call, std::uint8_t steps) {
    add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call), 0, steps));
  }
  void trap_low(unsigned argument) {
    add(BPF_STMT(kLoad, high(argument)));
    add(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 3));
    add(BPF_STMT(kLoad, low(argument)));
    add(BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, kEnd, 1, 0));
    trap();
  }

  seccomp::Program program_;
};

}  // namespace

const sock_fprog* seal(const seccomp::Program& program) {
  const std::size_t bytes = sizeof(sock_fprog) + program.size() * sizeof(sock_filter);
  auto* const wanted = reinterpret_cast<void*>(kSealedPages);
  void* const pages = ::mmap(wanted, kSealedBytes, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
  if (pages != wanted || bytes > kSealedBytes)
    throw MachineCannot(std::string{"mapping pages for a seccomp filter at 1 MiB: "} + std::strerror(errno) +
                        "; fix: let vm.mmap_min_addr be 1 MiB at most");
  auto* const head = static_cast<sock_fprog*>(pages);
  auto* const body = reinterpret_cast<sock_filter*>(head + 1);
  std::copy(program.begin(), program.end(), body);
  head->len = static_cast<unsigned short>(program.size());
  head->filter = body;
  if (::mprotect(pages, kSealedBytes, PROT_READ) != 0)
    throw MachineCannot(std::string{"sealing a seccomp filter: "} + std::strerror(errno));
  return head;
}

seccomp::Program behind_guard(const seccomp::Program& filter, const sock_fprog* sealed) {
  Guard guard;
  for (const long call : {SYS_munmap, SYS_mprotect, SYS_madvise, SYS_mremap}) guard.high_address(call, 0);
  guard.high_address_or_chosen(SYS_mmap);
  guard.high_target(SYS_mremap);
  guard.only_filter(sealed);
  auto program = guard.take();
  program.insert(program.end(), filter.begin(), filter.end());
  return program;
}

}  // namespace ridgeline::sandbox
