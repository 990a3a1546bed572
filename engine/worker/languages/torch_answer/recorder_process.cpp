#include "engine/worker/languages/torch_answer/recorder_process.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <span>

#include "engine/core/error.hpp"
#include "engine/worker/runner/python/start.hpp"

namespace ridgeline::torch_answer {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::uint64_t kGiB = std::uint64_t{1} << 30;
constexpr int kProcessLookMs = 20;

sandbox::Policy policy_for(const RecorderSettings& settings) {
  sandbox::Limits limits;
  limits.data = 4 * kGiB;
  limits.resident = 8 * kGiB;
  limits.open_files = 256;
  limits.processes = 128;  // an answer each, and threads of libraries
  limits.output = std::uint64_t{1} << 20;
  limits.kept_output = 4096;
  sandbox::Policy policy;
  policy.isolated(settings.isolation)
      .with_profile(sandbox::SeccompProfile::compiler)
      .system_libraries()
      .execute(settings.python.program)
      .read(settings.library.string())
      .limit(limits);
  for (const auto& folder : settings.python.folders) policy.add({.path = folder, .optional = true});
  for (const char* facts : {"/proc/cpuinfo", "/sys/devices/system/cpu"})  // which vector units there are
    policy.add({.path = facts, .optional = true});
  policy.env("TORCHINDUCTOR_CACHE_DIR",
             "/");  // torch wants a folder that it may write to, or one that is named
  policy.env("HOME", "/").env("LC_ALL", "C.UTF-8").env("PYTHONNOUSERSITE", "1");
  for (const char* threads : {"OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"})
    policy.env(threads, "1");  // threads do not survive a fork
  return policy;
}

bool send_descriptors(int socket, std::span<const int> descriptors) {
  char word = 'j';
  iovec data{&word, 1};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(2 * sizeof(int))> room{};
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = room.data();
  message.msg_controllen = room.size();
  auto* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(descriptors.size_bytes());
  std::memcpy(CMSG_DATA(header), descriptors.data(), descriptors.size_bytes());
  return ::sendmsg(socket, &message, MSG_NOSIGNAL) == 1;
}

}  // namespace

RecorderProcess::RecorderProcess(const RecorderSettings& settings) {
  std::array<int, 2> ends{};
  if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0)
    throw MachineCannot(std::string("socketpair: ") + std::strerror(errno));
  control_ = FileDescriptor(ends[0]);
  FileDescriptor theirs(ends[1]);
  child_.emplace(sandbox::spawn(policy_for(settings),
                                {settings.python.program, "-I", "-B", "-c", runner::python::kStart,
                                 settings.library.string(), runner::python::kRecord},
                                {theirs.get()}));
  theirs.reset();  // or its end would not close the socket
  const auto deadline = steady_clock::now() + std::chrono::duration<double>(settings.start_limit);
  for (pollfd ready{control_.get(), POLLIN, 0}; steady_clock::now() < deadline;) {
    if (::poll(&ready, 1, kProcessLookMs) > 0) {
      std::array<char, 16> word{};
      if (::recv(control_.get(), word.data(), word.size(), 0) > 0) return;
      child_->step(milliseconds(500));
    }
    if (!look()) throw MachineCannot("the Python that records answers did not start: " + last_words_);
  }
  throw MachineCannot("the Python that records answers did not start in time; fix: look at what else runs");
}

bool RecorderProcess::hand(int job, int output) {
  const std::lock_guard lock(mutex_);
  const std::array<int, 2> descriptors{job, output};
  return child_ && send_descriptors(control_.get(), descriptors);
}

bool RecorderProcess::look() {
  const std::lock_guard lock(mutex_);
  if (!child_) return false;
  const auto exit = child_->step(milliseconds(0));
  if (!exit) return true;
  last_words_ = sandbox::describe(*exit) + " " + exit->err;
  child_.reset();
  return false;
}

void RecorderProcess::end() {
  const std::lock_guard lock(mutex_);
  if (child_) child_->kill_tree();
  child_.reset();
}

}  // namespace ridgeline::torch_answer
