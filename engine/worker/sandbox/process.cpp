#include "engine/worker/sandbox/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <limits>

#include "engine/core/error.hpp"
#include "engine/core/file_descriptor.hpp"
#include "engine/posix/pipe.hpp"
#include "engine/worker/sandbox/idle_watch.hpp"
#include "engine/worker/sandbox/launch.hpp"
#include "engine/worker/sandbox/process_tree.hpp"

namespace ridgeline::sandbox {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

posix::Pipe make_output_pipe() {
  auto pipe = posix::make_pipe();
  ::fcntl(pipe.read.get(), F_SETFL, O_NONBLOCK);  // the child's end stays blocking
  return pipe;
}

double seconds(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

}  // namespace

struct Child::State {
  Isolation level;
  Limits limits;
  pid_t pid = -1;
  FileDescriptor pidfd;
  std::array<FileDescriptor, 2> streams;  // stdout, stderr
  std::array<std::string, 2> heads;
  std::uint64_t output_bytes = 0;
  Clock::time_point started, next_look;
  IdleWatch idle;
  std::uint64_t peak_resident = 0;
  std::uint64_t granted = 0;
  std::optional<ConfinedExit> exit;

  void drain();
  std::optional<Ending> exceeded();
  bool ended() const;
  void kill_all() const;
  ConfinedExit finish(std::optional<Ending> cause);
  std::optional<ConfinedExit> step(std::chrono::nanoseconds patience);
};

/// Takes what the pipes hold now; a writer that never stops is cut off by the limit, not read for ever.
void Child::State::drain() {
  std::array<char, 16384> block;
  for (std::size_t i = 0; i < streams.size(); ++i) {
    while (streams[i]) {
      const auto got = ::read(streams[i].get(), block.data(), block.size());
      if (got < 0 && errno == EINTR) continue;
      if (got == 0) streams[i].reset();
      if (got <= 0) break;
      const auto bytes = static_cast<std::size_t>(got);
      output_bytes += bytes;
      const auto room = limits.kept_output - std::min<std::uint64_t>(limits.kept_output, heads[i].size());
      heads[i].append(block.data(), std::min<std::size_t>(bytes, room));
      if (limits.output && output_bytes > *limits.output) return;
    }
  }
}

std::optional<Ending> Child::State::exceeded() {
  if (limits.output && output_bytes > *limits.output) return Ending::output_limit;
  const auto now = Clock::now();
  if (limits.wall_seconds && Seconds{now - started}.count() > *limits.wall_seconds) return Ending::wall_limit;
  if (now < next_look) return std::nullopt;
  next_look = now + std::chrono::duration_cast<Clock::duration>(Seconds{limits.watch_interval});
  const auto most = static_cast<unsigned>(
      std::min<std::uint64_t>(limits.processes.value_or(100'000), std::numeric_limits<unsigned>::max() - 1));
  const TreeSize size = measure_tree(pid, most);
  peak_resident = std::max(peak_resident, size.resident);
  if (size.processes > most) return Ending::process_limit;
  if (limits.resident && size.resident > *limits.resident + granted) return Ending::memory_limit;
  if (idle.exceeded(now, size.cpu_seconds)) return Ending::idle_limit;
  if (limits.cpu_seconds && cpu_time(pid).value_or(0) > *limits.cpu_seconds) return Ending::cpu_limit;
  return std::nullopt;
}

bool Child::State::ended() const {
  pollfd ready{pidfd.get(), POLLIN, 0};
  return ::poll(&ready, 1, 0) == 1;
}

void Child::State::kill_all() const {
  // The leader is not reaped yet, so neither its pid nor its group can belong to others by now.
  ::syscall(SYS_pidfd_send_signal, pidfd.get(), SIGKILL, nullptr, 0);
  ::kill(-pid, SIGKILL);
}

ConfinedExit Child::State::finish(std::optional<Ending> cause) {
  // Ended by itself before this side acted: its own end is the first cause.
  if (cause && *cause != Ending::output_limit && ended()) cause.reset();
  kill_all();
  siginfo_t end{};
  rusage usage{};
  while (::syscall(SYS_waitid, P_PIDFD, pidfd.get(), &end, WEXITED, &usage) != 0 && errno == EINTR) {
  }
  // A process hands its children to this subreaper before it can be reaped, so ECHILD means none is left.
  siginfo_t orphan{};
  while (::waitid(P_PGID, static_cast<id_t>(pid), &orphan, WEXITED) == 0 || errno == EINTR) {
  }
  drain();
  const ExitFacts facts{.exit = posix::exit_of(end),
                        .cpu_seconds = seconds(usage.ru_utime) + seconds(usage.ru_stime),
                        .level = level,
                        .err = heads[1]};
  ConfinedExit result = classify(cause, facts, limits);
  result.wall_seconds = Seconds{Clock::now() - started}.count();
  result.peak_resident = peak_resident;
  result.out = std::move(heads[0]);
  result.err = std::move(heads[1]);
  result.output_bytes = output_bytes;
  return result;
}

std::optional<ConfinedExit> Child::State::step(std::chrono::nanoseconds patience) {
  const auto until = Clock::now() + patience;
  while (!exit) {
    drain();
    const bool over = ended();
    const auto cause = over ? std::nullopt : exceeded();
    if (over || cause) {
      exit = finish(cause);
      break;
    }
    auto wake = std::min<Clock::time_point>(until, next_look);
    if (limits.wall_seconds)
      wake = std::min(wake,
                      started + std::chrono::duration_cast<Clock::duration>(Seconds{*limits.wall_seconds}));
    const auto now = Clock::now();
    if (now >= until) return std::nullopt;
    const auto pause = std::max<std::chrono::nanoseconds>(wake - now, std::chrono::nanoseconds{0});
    const timespec timeout{static_cast<time_t>(pause.count() / 1'000'000'000),
                           static_cast<long>(pause.count() % 1'000'000'000)};
    pollfd sources[3] = {
        {pidfd.get(), POLLIN, 0}, {streams[0].get(), POLLIN, 0}, {streams[1].get(), POLLIN, 0}};
    ::ppoll(sources, 3, &timeout, nullptr);  // a closed stream is -1, which poll skips
  }
  return exit;
}

Child::Child(std::unique_ptr<State> state) : state_(std::move(state)) {}
Child::Child(Child&&) noexcept = default;
Child& Child::operator=(Child&& other) noexcept {
  std::swap(state_, other.state_);  // the child held before ends with `other`
  return *this;
}
Child::~Child() {
  if (state_) kill_tree();
}

pid_t Child::pid() const {
  return state_->pid;
}
int Child::pidfd() const {
  return state_->pidfd.get();
}

std::optional<ConfinedExit> Child::step(std::chrono::nanoseconds patience) {
  return state_->step(patience);
}

void Child::grant(std::uint64_t bytes) {
  state_->granted = bytes;
}

ConfinedExit Child::wait() {
  while (true)
    if (auto exit = state_->step(std::chrono::hours{1})) return *std::move(exit);
}

ConfinedExit Child::kill_tree() {
  if (!state_->exit) state_->exit = state_->finish(Ending::killed);
  return *state_->exit;
}

Child spawn(const Policy& policy, const std::vector<std::string>& command, const std::vector<int>& passed) {
  if (command.empty()) throw BadInput("sandbox: an empty command line");
  ::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  auto state = std::make_unique<Child::State>();
  state->level = policy.level;
  state->limits = policy.limits;
  auto out = make_output_pipe(), err = make_output_pipe();
  Launch launch{policy, command, passed};
  launch.plan().output = out.write.get();
  launch.plan().error = err.write.get();
  state->started = Clock::now();
  state->idle =
      IdleWatch(policy.limits.idle_seconds, policy.limits.watch_interval, sees_children(), state->started);
  // Most compilers' and runners' first 20 ms are their own start-up: nothing to see there yet.
  state->next_look =
      state->started + std::chrono::duration_cast<Clock::duration>(Seconds{policy.limits.watch_interval});
  int pidfd = -1;
  state->pid = launch_child(launch.plan(), pidfd);
  state->pidfd.reset(pidfd);
  if (launch.plan().failure.step != LaunchStep::none) throw MachineCannot(launch.failure_text());
  state->streams = {std::move(out.read), std::move(err.read)};
  return Child{std::move(state)};
}

}  // namespace ridgeline::sandbox
