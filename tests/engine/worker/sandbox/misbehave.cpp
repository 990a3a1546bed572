#include "misbehave.hpp"

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/io_uring.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "engine/worker/sandbox/lockdown.hpp"
#include "engine/worker/sandbox/sealed_pages.hpp"

extern char** environ;

namespace ridgeline::misbehave {
namespace {

using Arguments = std::vector<std::string>;
using Danger = std::function<int(const Arguments&)>;

/// Returns the exit status that says whether the danger worked.
int status_of(bool worked) {
  // Not perror, which duplicates stderr: a lockdown ends the process for that.
  if (!worked) std::fprintf(stderr, "refused: %s\n", std::strerror(errno));
  return worked ? kSucceeded : kRefused;
}

[[noreturn]] void spin() {
  for (volatile unsigned long turns = 0;;) {
    turns = turns + 1;
  }
}

int read_file(const Arguments& a) {
  const int fd = ::open(a.at(0).c_str(), O_RDONLY);
  char byte = 0;
  return status_of(fd >= 0 && ::read(fd, &byte, 1) == 1);
}

int write_file(const Arguments& a) {
  return status_of(::open(a.at(0).c_str(), O_WRONLY | O_CREAT, 0600) >= 0);
}

int truncate_file(const Arguments& a) {
  return status_of(::truncate(a.at(0).c_str(), 0) == 0);
}

int fork_bomb(const Arguments&) {
  while (true) ::fork();
}

/// Waits while a child of its own computes, as a compiler's driver does.
int loop_in_child(const Arguments&) {
  if (::fork() == 0) spin();
  return ::pause();
}

/// Reserves without bound; RLIMIT_DATA must stop it before memory is touched.
int allocate(const Arguments&) {
  std::size_t total = 0;
  while (::mmap(nullptr, 1 << 24, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) != MAP_FAILED)
    if ((total += 1 << 24) > (std::size_t{1} << 32)) return kSucceeded;
  return status_of(false);
}

/// Shared pages escape RLIMIT_DATA; only the watch sees them. Stops by itself at 1 GiB.
int touch(const Arguments&) {
  for (int i = 0; i < 64; ++i) {
    void* block = ::mmap(nullptr, 1 << 24, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) return status_of(false);
    std::memset(block, 1, 1 << 24);
  }
  spin();
}

int flood(const Arguments&) {
  const std::string line(4096, 'x');
  while (true) [[maybe_unused]]
    const auto written = ::write(1, line.data(), line.size());
}

/// Descriptor 3 stays open in a grandchild that outlives the leader.
int leave_daemon(const Arguments&) {
  if (::fork() != 0) return kSucceeded;
  ::setsid();
  ::setpgid(0, 0);
  if (::fork() != 0) ::_exit(0);
  while (true) ::pause();
}

int read_memory(const Arguments& a) {
  const int fd = ::open(("/proc/" + a.at(0) + "/mem").c_str(), O_RDONLY);
  return status_of(fd >= 0);
}

int print_environment(const Arguments&) {
  for (char** entry = environ; *entry; ++entry) std::puts(*entry);
  return 0;
}

int print_descriptors(const Arguments&) {
  for (int fd = 0; fd < 4096; ++fd)
    if (::fcntl(fd, F_GETFD) >= 0) std::printf("%d ", fd);
  return 0;
}

int io_uring(const Arguments&) {
  io_uring_params parameters{};
  return status_of(::syscall(SYS_io_uring_setup, 4, &parameters) >= 0);
}

int timer(const Arguments&) {
  itimerval value{{0, 0}, {100, 0}};
  return status_of(::setitimer(ITIMER_REAL, &value, nullptr) == 0);
}

int map_code(const Arguments&) {
  return status_of(::mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
                   MAP_FAILED);
}

int compute(const Arguments&) {
  std::vector<double> values(1 << 20, 1.5);
  double sum = 0;
  for (const double v : values) sum += v;
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  std::fprintf(stderr, "sum %.0f", sum);
  return 7;
}

int touch_null(const Arguments&) {
  volatile std::uintptr_t near_null = 16;  // no constant, or the compiler and its sanitizers see it coming
  return *reinterpret_cast<volatile int*>(near_null);
}

int throw_uncaught(const Arguments&) {
  throw std::runtime_error("nobody catches this");
}

int start_thread(const Arguments&) {
  std::thread{[] {}}.join();
  return kSucceeded;
}

/// Lays a filter, as a constructor would, that answers every further call of seccomp with success.
int own_filter(const Arguments&) {
  sock_filter answer[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                          BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_seccomp, 0, 1),
                          BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO),
                          BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  sock_fprog program{4, answer};
  return status_of(::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0);
}

/// Makes the runner's second filter writable, to change it before it is laid.
int changed_filter(const Arguments&) {
  return status_of(::mprotect(reinterpret_cast<void*>(sandbox::kSealedPages), 4096, PROT_READ | PROT_WRITE) ==
                   0);
}

/// Moves memory of its own to where the runner's second filter lies.
int moved_filter(const Arguments&) {
  void* own = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return status_of(::mremap(own, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED,
                            reinterpret_cast<void*>(sandbox::kSealedPages)) != MAP_FAILED);
}

const std::map<std::string, Danger>& dangers();

enum class Locked { loading, between, running, interpreter };

/// Runs another danger as a candidate would be run: in its static constructors, under both lockdowns, or in
/// an interpreter. `between`: a danger in a constructor, and what the runner then does.
int locked(const Arguments& a, Locked when) {
  const std::vector<int> fds = {1, 2};
  sandbox::LibraryLockdowns library(fds);
  auto interpreter = sandbox::Lockdown::interpreter(fds);
  sandbox::prepare_for_lockdown();
  const Danger danger = dangers().at(a.at(0));
  const Arguments rest(a.begin() + 1, a.end());
  if (when == Locked::interpreter)
    interpreter.install();
  else
    library.before_load();
  if (when == Locked::running) library.before_first_call();
  if (when == Locked::between) {
    danger(rest);
    library.before_first_call();
    spin();
  }
  const int status = danger(rest);
  std::fflush(nullptr);
  ::_exit(status);
}

const std::map<std::string, Danger>& dangers() {
  static const std::map<std::string, Danger> table = {
      {"nothing", [](const Arguments&) { return 0; }},
      {"exit", [](const Arguments& a) { return std::stoi(a.at(0)); }},
      {"touch_null", touch_null},
      {"abort", [](const Arguments&) -> int { std::abort(); }},
      {"throw", throw_uncaught},
      {"loop", [](const Arguments&) -> int { spin(); }},
      {"loop_in_child", loop_in_child},
      {"pause", [](const Arguments&) { return ::pause(); }},
      {"fork", [](const Arguments&) { return status_of(::fork() >= 0); }},
      {"fork_bomb", fork_bomb},
      {"allocate", allocate},
      {"touch", touch},
      {"flood", flood},
      {"socket", [](const Arguments&) { return status_of(::socket(AF_INET, SOCK_STREAM, 0) >= 0); }},
      {"unix_socket", [](const Arguments&) { return status_of(::socket(AF_UNIX, SOCK_STREAM, 0) >= 0); }},
      {"read", read_file},
      {"write", write_file},
      {"truncate", truncate_file},
      {"ptrace",
       [](const Arguments& a) {
         return status_of(::ptrace(PTRACE_ATTACH, std::stoi(a.at(0)), nullptr, nullptr) == 0);
       }},
      {"read_memory", read_memory},
      {"kill", [](const Arguments& a) { return status_of(::kill(std::stoi(a.at(0)), 0) == 0); }},
      {"kill_all", [](const Arguments&) { return status_of(::kill(-1, 0) == 0); }},
      {"leave_daemon", leave_daemon},
      {"exec",
       [](const Arguments& a) {
         ::execl(a.at(0).c_str(), a.at(0).c_str(), nullptr);
         return status_of(false);
       }},
      {"environment", print_environment},
      {"descriptors", print_descriptors},
      {"io_uring", io_uring},
      {"new_call",  // open_tree_attr of Linux 6.15, which libseccomp 2.5 does not know
       [](const Arguments&) { return status_of(::syscall(467, AT_FDCWD, "/", 0, nullptr, 0) >= 0); }},
      {"namespace", [](const Arguments&) { return status_of(::unshare(CLONE_NEWUSER) == 0); }},
      {"timer", timer},
      {"chosen_timer",
       [](const Arguments&) {
         sigevent wakes{};
         wakes.sigev_notify = SIGEV_SIGNAL;
         wakes.sigev_signo = SIGCONT;
         timer_t made{};
         return status_of(::timer_create(CLOCK_MONOTONIC, &wakes, &made) == 0);
       }},
      {"chosen_signal", [](const Arguments&) { return status_of(::fcntl(1, F_SETSIG, SIGCONT) == 0); }},
      {"chosen_signal_above",
       [](const Arguments&) {
         return status_of(::syscall(SYS_fcntl, 1, (1UL << 32) | F_SETSIG, SIGCONT) == 0);
       }},
      {"continue_self", [](const Arguments&) { return status_of(::kill(::getpid(), SIGCONT) == 0); }},
      {"continue_thread",
       [](const Arguments&) {
         return status_of(::syscall(SYS_tgkill, ::getpid(), ::getpid(), (1UL << 32) | SIGCONT) == 0);
       }},
      {"timerfd", [](const Arguments&) { return status_of(::timerfd_create(CLOCK_MONOTONIC, 0) >= 0); }},
      {"map_code", map_code},
      {"signal_handler", [](const Arguments&) { return status_of(::signal(SIGSEGV, SIG_IGN) != SIG_ERR); }},
      {"compute", compute},
      {"thread", start_thread},
      {"mkdir", [](const Arguments& a) { return status_of(::mkdir(a.at(0).c_str(), 0700) == 0); }},
      {"ask_for_user",
       [](const Arguments&) {
         return status_of(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0) >= 0);
       }},
      {"own_usage",
       [](const Arguments&) {
         rusage used{};
         rlimit limit{};
         return status_of(::getrusage(RUSAGE_SELF, &used) == 0 && ::getrlimit(RLIMIT_NOFILE, &limit) == 0);
       }},
      {"own_filter", own_filter},
      {"changed_filter", changed_filter},
      {"moved_filter", moved_filter},
      {"running", [](const Arguments& a) { return locked(a, Locked::running); }},
      {"loading", [](const Arguments& a) { return locked(a, Locked::loading); }},
      {"between", [](const Arguments& a) { return locked(a, Locked::between); }},
      {"interpreter", [](const Arguments& a) { return locked(a, Locked::interpreter); }},
  };
  return table;
}

}  // namespace

int run(int count, char** arguments) {
  const auto danger = dangers().find(arguments[0]);
  if (danger == dangers().end()) return -1;
  return danger->second(Arguments(arguments + 1, arguments + count));
}

}  // namespace ridgeline::misbehave
