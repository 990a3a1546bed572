#include "engine/worker/languages/torch_answer/recorder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <utility>

#include "engine/core/error.hpp"
#include "engine/worker/languages/torch_answer/recorder_process.hpp"

namespace ridgeline::torch_answer {
namespace {

using std::chrono::steady_clock;

constexpr int kLookMs = 20;
constexpr std::size_t kMostOutput = std::size_t{64} << 20;  // bytes

FileDescriptor file_with(const std::string& text) {
  FileDescriptor file(::memfd_create("job", MFD_CLOEXEC));
  std::size_t written = 0;
  while (file && written < text.size()) {
    const auto part = ::write(file.get(), text.data() + written, text.size() - written);
    if (part < 0) break;
    written += static_cast<std::size_t>(part);
  }
  if (!file || written < text.size() || ::lseek(file.get(), 0, SEEK_SET) != 0)
    throw MachineCannot(std::string("a file in memory for a job: ") + std::strerror(errno));
  return file;
}

/// Holds what an answer writes until its end, or until its time is up.
struct Output {
  std::string lines;
  enum class End { closed, too_long, gone } end = End::closed;
};

Output listen(int from, RecorderProcess& process, double limit) {
  Output output;
  std::array<char, 65536> block;
  const auto deadline = steady_clock::now() + std::chrono::duration<double>(limit);
  for (;;) {
    pollfd ready{from, POLLIN, 0};
    if (::poll(&ready, 1, kLookMs) > 0) {
      const auto part = ::read(from, block.data(), block.size());
      if (part <= 0) return output;
      output.lines.append(block.data(), static_cast<std::size_t>(part));
    } else if (!process.look()) {
      output.end = Output::End::gone;
      return output;
    }
    if (steady_clock::now() > deadline || output.lines.size() > kMostOutput) {
      output.end = Output::End::too_long;
      return output;
    }
  }
}

}  // namespace

Recorder::Recorder(RecorderSettings settings) : settings_(std::move(settings)) {}
Recorder::~Recorder() = default;

std::shared_ptr<RecorderProcess> Recorder::process() {
  const std::lock_guard lock(mutex_);
  if (!process_ || !process_->look()) process_ = std::make_shared<RecorderProcess>(settings_);
  return process_;
}

Recording Recorder::record(const std::string& job) {
  // Another answer may have been the end of the interpreter that this one was given to.
  for (int tries = 0;; ++tries) {
    const auto process = this->process();
    const auto file = file_with(job);
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
      throw MachineCannot(std::string("pipe: ") + std::strerror(errno));
    const FileDescriptor reading(ends[0]);
    FileDescriptor writing(ends[1]);
    const bool handed = process->hand(file.get(), writing.get());
    writing.reset();
    const auto output =
        handed ? listen(reading.get(), *process, settings_.limit) : Output{"", Output::End::gone};
    // A child that hangs can only be reached through the interpreter, whose other answers then try once more.
    if (output.end == Output::End::too_long) process->end();
    if (output.end == Output::End::gone && tries == 0) continue;
    auto recording = read_recording(output.lines);
    if (recording.end == Recording::End::died && output.end == Output::End::too_long)
      recording.words = fmt::format("it was not done within {:.0f} s", settings_.limit);
    return recording;
  }
}

}  // namespace ridgeline::torch_answer
