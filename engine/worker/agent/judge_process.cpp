#include "engine/worker/agent/judge_process.hpp"

#include <poll.h>
#include <unistd.h>

#include <fmt/core.h>
#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <nlohmann/json.hpp>

#include "engine/posix/pipe.hpp"
#include "engine/worker/protocol/environment.hpp"

namespace ridgeline::agent {

JudgeProcess::JudgeProcess(JudgeCommand command) : command_(std::move(command)) {}

JudgeProcess::~JudgeProcess() {
  // A judge ends when its input does; `reap` kills it if it does not.
  to_judge_.reset();
  reap();
}

protocol::Described JudgeProcess::start() {
  reap();
  // Bytes of the old judge must not be taken for an answer of the new one.
  reader_ = {};
  spawn();
  auto answer = exchange(protocol::Describe{"describe"}, command_.start_limit_seconds);
  if (auto* described = std::get_if<protocol::Described>(&answer)) return std::move(*described);
  if (const auto* failed = std::get_if<protocol::Failed>(&answer))
    throw MachineCannot("the judge: " + failed->message);
  throw protocol::ProtocolError("the judge answered 'describe' with something else");
}

protocol::FromJudge JudgeProcess::call(const protocol::ToJudge& request) {
  return exchange(request, command_.answer_limit_seconds);
}

void JudgeProcess::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  process_.kill_group();
}

std::vector<std::string> JudgeProcess::environment() const {
  auto variables = with_library_folders(protocol::inherited_environment(protocol::EnvironmentFor::judge),
                                        std::get<LibraryFolders>(command_.torch));
  if (command_.visible_gpu.empty()) return variables;
  const std::string name = "CUDA_VISIBLE_DEVICES=";
  std::erase_if(variables, [&](const auto& one) { return one.starts_with(name); });
  variables.push_back(name + command_.visible_gpu);
  return variables;
}

void JudgeProcess::spawn() {
  if (const auto* problem = std::get_if<std::string>(&command_.torch)) throw MachineCannot(*problem);
  auto input = posix::make_pipe(), output = posix::make_pipe();
  // From here to the end of this function, `stop` waits: it then kills the new process too.
  const std::lock_guard lock(mutex_);
  if (stopped_) throw MachineCannot("the worker is ending");
  process_ = posix::ChildProcess({
      .words = command_.words,
      .environment = environment(),
      .descriptors = {{input.read.get(), STDIN_FILENO},
                      {output.write.get(), STDOUT_FILENO},
                      // The judge logs to the worker's stderr, which the engine shows.
                      {STDERR_FILENO, STDERR_FILENO}},
      // A worker that is killed must not leave a judge behind that occupies the GPU.
      .death_signal = SIGKILL,
      .advice = ": build it (./dev build)",
  });
  to_judge_ = std::move(input.write);
  from_judge_ = std::move(output.read);
}

std::string JudgeProcess::reap() {
  const std::lock_guard lock(mutex_);
  to_judge_.reset();
  from_judge_.reset();
  return process_ ? posix::describe(process_.end()) : "it was not running";
}

protocol::FromJudge JudgeProcess::exchange(const protocol::ToJudge& request, double limit_seconds) {
  try {
    if (!to_judge_) throw MachineCannot("it was not running");
    protocol::write_frame(to_judge_.get(), protocol::encode(request));
    return protocol::decode_from_judge(read_within(limit_seconds));
  } catch (const Error& error) {
    // Waits a moment for a judge that is ending by itself, because its own status says more than the SIGKILL
    // of `reap`.
    if (process_) process_.ends_within(std::chrono::milliseconds(100));
    throw MachineCannot(fmt::format("the judge was lost: {} ({})", error.what(), reap()));
  }
}

nlohmann::json JudgeProcess::read_within(double limit_seconds) {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                        std::chrono::duration<double>(limit_seconds));
  std::array<char, 65536> block;
  while (true) {
    if (auto document = reader_.next()) return std::move(*document);
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
    if (left <= 0) throw protocol::ProtocolError(fmt::format("no answer within {} s", limit_seconds));
    pollfd ready{from_judge_.get(), POLLIN, 0};
    // poll takes an int of milliseconds; the loop goes on if the limit is longer.
    const int count = ::poll(&ready, 1, static_cast<int>(std::min<long long>(left, 1'000'000)));
    // A time-out or EINTR; the loop reads the clock again.
    if (count <= 0) continue;
    const ssize_t got = ::read(from_judge_.get(), block.data(), block.size());
    if (got == 0) throw protocol::ProtocolError("it ended");
    if (got > 0) reader_.feed({block.data(), static_cast<std::size_t>(got)});
  }
}

}  // namespace ridgeline::agent
