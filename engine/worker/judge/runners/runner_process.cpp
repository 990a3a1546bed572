#include "engine/worker/judge/runners/runner_process.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>
#include <vector>

#include "engine/core/error.hpp"
#include "engine/core/statistics.hpp"
#include "engine/worker/judge/runners/reply_reader.hpp"
#include "engine/worker/judge/runners/runner_limits.hpp"
#include "engine/worker/judge/runners/runner_policy.hpp"
#include "engine/worker/runner/channel.hpp"
#include "engine/worker/sandbox/process_tree.hpp"
#include "profiler/process_clock.hpp"

namespace ridgeline::judge {
namespace {

using runner::Answer;
using runner::Reply;
using std::chrono::milliseconds;

constexpr double kAwake = 0.02;  // seconds that a reply is waited for without sleeping, beside a device
constexpr int kLookMs = 20;      // how often a silent runner's limits and output are looked at
constexpr int kEmptyBatches = 12;
constexpr double kStarved = 0.95;   // of its limit on data; less is left than an allocator asks for at once
constexpr double kStopping = 5e-3;  // seconds; a stopped process may still compute as long unremarked
// Seconds that a stop is waited for. A thread within the device's driver, or one that reads a slow disk,
// stops once its call is over. A candidate must stop; a pause goes on without, since `ran` tells.
constexpr double kMostStopping = 5, kMostPausing = 0.1;

std::filesystem::path make_scratch_folder(const std::filesystem::path& parent) {
  auto name = (parent / "runner-XXXXXX").string();
  if (!::mkdtemp(name.data()))
    throw MachineCannot(
        fmt::format("making {}: {}; fix: let TMPDIR name a writable folder", name, std::strerror(errno)));
  return name;
}

/// Whether all threads of our child are stopped. Leaves its state to be read again.
bool is_stopped(pid_t pid) {
  siginfo_t seen{};
  const int flags = WSTOPPED | WNOWAIT | WNOHANG | __WALL;
  return ::waitid(P_PID, static_cast<id_t>(pid), &seen, flags) == 0 && seen.si_pid == pid;
}

/// Stops our child, and returns once all its threads are stopped or it has ended. Returns false if neither
/// happened within `most` seconds.
bool stop_and_wait(pid_t pid, double most) {
  ::kill(pid, SIGSTOP);
  // Each thread goes on until it is interrupted, which takes a while where there are many or cores are busy.
  const double end = profiler::wall_seconds() + most;
  const int flags = WSTOPPED | WEXITED | WNOWAIT | WNOHANG | __WALL;
  for (siginfo_t seen{}; profiler::wall_seconds() < end;)
    if (::waitid(P_PID, static_cast<id_t>(pid), &seen, flags) != 0 || seen.si_pid != 0) return true;
  return false;
}

}  // namespace

RunnerProcess::RunnerProcess(const RunnerSettings& settings) : RunnerProcess(settings, Starting{}) {
  await_ready();
  measure_overhead();
}

RunnerProcess::RunnerProcess(const RunnerSettings& settings, Starting)
    : scratch_folder_(make_scratch_folder(settings.scratch_parent)),
      data_limit_(static_cast<double>(settings.data_limit)),
      interpreter_(settings.python.has_value()),
      locks_down_twice_(!settings.python && !settings.cuda_device && !settings.cupti),
      may_start_processes_(settings.compiles),
      shares_device_(settings.cuda_device.has_value()),
      occupy_device_(settings.occupy_device),
      sealing_(settings.sealing),
      arrange_(std::make_unique<runner::Arrange>()) {
  auto channel = runner::make_channel();
  channel_ = std::move(channel.judge);
  child_.emplace(sandbox::spawn(runner_policy(settings, scratch_folder_), runner_command(settings),
                                {channel.runner.get()}));
  channel.runner.reset();  // or the end of the runner would not close the channel
  if (interpreter_ && shares_device_) barrier_ = Barrier::ahead;
}

void RunnerProcess::reach_barrier() {
  const auto answer = await_reply(0, runner_limits::start_python);  // the import of torch comes before it
  const auto* reply = std::get_if<Reply>(&answer);
  barrier_ = reply && reply->answer == Answer::waiting ? Barrier::reached : Barrier::none;  // it ended
}

bool RunnerProcess::at_barrier() {
  if (barrier_ == Barrier::ahead && !alive()) reach_barrier();  // it has said something, or is gone
  return barrier_ == Barrier::reached;
}

void RunnerProcess::open_barrier() {
  if (barrier_ == Barrier::ahead) reach_barrier();
  if (barrier_ != Barrier::reached) return;
  const runner::Header open{runner::Kind::open, 0};
  runner::send_packet(channel_.get(), &open, sizeof open);  // one that is gone is found so when it is awaited
  barrier_ = Barrier::open;
}

void RunnerProcess::await_ready() {
  open_barrier();
  const auto answer = await_reply(0, interpreter_ ? runner_limits::start_python : runner_limits::start);
  const auto* ready = std::get_if<Reply>(&answer);
  if (ready && ready->answer == Answer::ready) {
    filters_at_start_ = sandbox::seccomp_filters(pid());
    return;
  }
  throw MachineCannot("a runner did not start: " + why_it_ended());
}

std::string RunnerProcess::why_it_ended() const {
  return ended_ ? sandbox::describe(ended_->outcome) + " " + ended_->outcome.err : "said something else";
}

RunnerProcess::~RunnerProcess() {
  finish();
  std::error_code ignored;
  std::filesystem::remove_all(scratch_folder_, ignored);
}

void RunnerProcess::measure_overhead() {
  std::vector<double> walls, cpus;
  for (int i = 0; i < kEmptyBatches; ++i) {
    if (occupy_device_) occupy_device_();
    const auto batch = call(0, 0, runner_limits::start);
    if (!std::holds_alternative<Reply>(batch.answer)) continue;
    walls.push_back(batch.times.wall);
    cpus.push_back(batch.times.cpu);
  }
  continue_process();
  // An overhead of 0 would charge each batch of the candidate with its own window.
  if (walls.empty()) throw MachineCannot("a runner answered no empty batch: " + why_it_ended());
  overhead_ = {.wall = quantile(walls, 0.75), .cpu = quantile(cpus, 0.75)};
  if (sealing_) measure_sealed_costs();
  continue_process();
}

void RunnerProcess::stop_process() {
  if (stopped_ || ended_) return;
  if (!stop_and_wait(pid(), kMostStopping)) {
    end(RunnerExit::Cause::not_stopped);
    return;
  }
  stopped_ = true;
}

RunnerAnswer RunnerProcess::stopped_after(RunnerAnswer answer) {
  if (!runs_for_orders_only_ || ended_) return answer;
  stop_process();
  if (ended_) return *ended_;
  return answer;
}

void RunnerProcess::continue_process() {
  if (!stopped_) return;
  if (!ended_) ::kill(pid(), SIGCONT);
  stopped_ = false;
}

bool RunnerProcess::confined() const {
  if (!locks_down_twice_ || !filters_at_start_) return true;
  // Unreadable is a process that is gone, whose end the next order finds, and no proof against it.
  const auto filters = sandbox::seccomp_filters(pid());
  return !filters || *filters >= *filters_at_start_ + 2;
}

double RunnerProcess::cpu_now() const {
  return ended_ ? cpu_checkpoint_ : profiler::process_cpu_seconds(pid()).value_or(cpu_checkpoint_);
}

pid_t RunnerProcess::pid() const {
  return child_ ? child_->pid() : -1;
}

RunnerProcess::Pause::Pause(pid_t process) : pid_(process) {
  if (pid_ <= 0) return;
  was_stopped_ = is_stopped(pid_);
  if (!was_stopped_) stop_and_wait(pid_, kMostPausing);
  cpu_ = profiler::process_cpu_seconds(pid_).value_or(0);
}

bool RunnerProcess::Pause::ran() const {
  if (pid_ <= 0) return false;
  return profiler::process_cpu_seconds(pid_).value_or(cpu_) - cpu_ > kStopping;
}

RunnerProcess::Pause::~Pause() {
  if (pid_ > 0 && !was_stopped_)
    ::kill(pid_, SIGCONT);  // still our child and not reaped, so the number is still its own
}

bool RunnerProcess::alive() const {
  if (ended_) return false;
  pollfd look{channel_.get(), POLLIN, 0};
  return ::poll(&look, 1, 0) == 0;
}

RunnerExit RunnerProcess::end(RunnerExit::Cause cause) {
  if (ended_) return *ended_;
  RunnerExit result;
  result.cause = cause;
  result.fault = fault_;
  // A process that crashed right after its reply may have been stopped before it died, and would then not
  // die.
  continue_process();
  if (cause == RunnerExit::Cause::ended) {
    // The channel closed. A dying process is gone within moments; a process that only closed it is not.
    if (auto outcome = child_->step(milliseconds(500))) {
      result.outcome = std::move(*outcome);
    } else {
      result.cause = RunnerExit::Cause::closed_channel;
      result.outcome = child_->kill_tree();
    }
  } else {
    // Who asks for memory that there is not, over and over, is silent for that.
    const bool starved = cause == RunnerExit::Cause::hung && data_limit_ > 0 &&
                         static_cast<double>(sandbox::data_bytes(pid())) > kStarved * data_limit_;
    result.outcome = child_->kill_tree();
    if (starved) {
      result.cause = RunnerExit::Cause::ended;
      result.outcome.ending = sandbox::Ending::memory_limit;
    }
  }
  channel_.reset();
  child_.reset();
  ended_ = result;
  return result;
}

RunnerExit RunnerProcess::finish() {
  if (!ended_ && child_) {
    RunnerExit result;
    result.outcome = child_->kill_tree();
    channel_.reset();
    child_.reset();
    ended_ = result;
  }
  return ended_.value_or(RunnerExit{});
}

std::optional<Reply> RunnerProcess::receive() {
  std::array<std::byte, sizeof(Reply)> packet;
  const auto received = runner::receive_packet(channel_.get(), packet.data(), packet.size());
  if (received.bytes == 0) return std::nullopt;
  if (auto reply = read_reply(std::span(packet).first(received.bytes))) return reply;
  Reply none;
  none.answer = Answer{};  // none of our words
  return none;
}

RunnerAnswer RunnerProcess::await_reply(std::uint32_t sequence, double limit) {
  if (ended_) return *ended_;
  const double asked = profiler::wall_seconds(), deadline = asked + limit;
  reply_seen_ = asked;
  const double asleep = asked + (shares_device_ ? kAwake : 0);
  for (;;) {
    pollfd ready{channel_.get(), POLLIN, 0};
    int count = 0;
    // Keys are given awake all the time, but for looks at the runner's limits and output.
    const double awake = key_server_ ? profiler::wall_seconds() + 1e-3 * kLookMs : asleep;
    do {  // waking up takes tens of microseconds, differently each time
      // The time is read anew: a look at the runner's limits may have taken long.
      if (key_server_) key_server_->serve(profiler::wall_seconds());
      count = ::poll(&ready, 1, 0);
      reply_seen_ = profiler::wall_seconds();
    } while (count == 0 && reply_seen_ < std::min(awake, deadline));
    // Whoever replies has done all its work: a digest that comes later is none.
    if (count > 0 && key_server_) key_server_->finish(reply_seen_);
    if (count == 0 && !key_server_) {
      count = ::poll(&ready, 1, kLookMs);
      reply_seen_ = profiler::wall_seconds();
    }
    if (count > 0) {
      const auto reply = receive();
      if (!reply) return end(RunnerExit::Cause::ended);
      if (reply->answer == Answer::fault && !fault_) {  // a process crashes once
        fault_ = reply;
        continue;
      }
      const bool known = reply->answer == Answer::no_counters || reply->answer == Answer::no_sealing ||
                         (reply->answer == Answer::waiting && barrier_ == Barrier::ahead) ||
                         (reply->answer >= Answer::ready && reply->answer <= Answer::refused);
      if (reply->sequence != sequence || !known) return end(RunnerExit::Cause::forged);
      return *reply;
    }
    if (auto outcome = child_->step(milliseconds(0))) {  // also drains its output and watches its memory
      RunnerExit result{RunnerExit::Cause::ended, std::move(*outcome), fault_};
      while (::poll(&ready, 1, 0) > 0) {  // what it said last
        const auto reply = receive();
        if (!reply) break;
        if (reply->answer == Answer::fault) result.fault = reply;
      }
      channel_.reset();
      child_.reset();
      ended_ = result;
      return result;
    }
    if (reply_seen_ >= deadline) return end(RunnerExit::Cause::hung);
  }
}

bool RunnerProcess::send(void* message, std::size_t bytes, std::span<const int> descriptors) {
  if (ended_) return false;
  pollfd pending{channel_.get(), POLLIN, 0};
  if (::poll(&pending, 1, 0) > 0) {  // nobody asked anything
    const auto reply = receive();
    if (reply && reply->answer == Answer::fault) fault_ = reply;
    end(reply && reply->answer != Answer::fault ? RunnerExit::Cause::forged : RunnerExit::Cause::ended);
    return false;
  }
  static_cast<runner::Header*>(message)->sequence = ++sequence_;
  const bool sent = runner::send_packet(channel_.get(), message, bytes, descriptors);
  continue_process();  // only now: the order lies in its socket, so it meets nothing else to wait for
  if (sent) return true;
  end(RunnerExit::Cause::ended);
  return false;
}

RunnerAnswer RunnerProcess::ask(void* message, std::size_t bytes, std::span<const int> descriptors,
                                double limit) {
  if (!send(message, bytes, descriptors)) return *ended_;
  return stopped_after(await_reply(sequence_, limit));
}

}  // namespace ridgeline::judge
