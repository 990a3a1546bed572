#include "tests/bench/adversary/judging/machine_line.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <thread>

#include "engine/core/error.hpp"
#include "engine/cuda/device.hpp"
#include "engine/posix/child_process.hpp"
#include "engine/posix/pipe.hpp"
#include "tests/places.hpp"

namespace ridgeline::bench {
namespace {

std::string processor() {
  std::ifstream facts("/proc/cpuinfo");
  for (std::string line; std::getline(facts, line);)
    if (const auto colon = line.find(": "); line.starts_with("model name") && colon != std::string::npos)
      return line.substr(colon + 2);
  return "unknown processor";
}

std::string card() {
  try {
    return cuda::device_facts(0).name;
  } catch (const MachineCannot&) {
    return "no GPU";
  }
}

std::string asked_of_git() try {
  const char* const path = std::getenv("PATH");
  auto [read, write] = posix::make_pipe();
  posix::ChildProcess git(
      {.words = {"git", "-C", places::sources().string(), "describe", "--always", "--exclude=*", "--dirty=+"},
       .environment = {std::string("PATH=") + (path == nullptr ? "/usr/bin:/bin" : path)},
       .descriptors = {{write.get(), STDOUT_FILENO}}});
  write.reset();
  std::string said;
  std::array<char, 128> bytes{};
  for (ssize_t count; (count = ::read(read.get(), bytes.data(), bytes.size())) > 0;)
    said.append(bytes.data(), static_cast<std::size_t>(count));
  return git.wait().ok() ? said.substr(0, said.find('\n')) : "unknown";
} catch (const MachineCannot&) {
  return "unknown";
}

/// A bundle carries its commit as a file (cmake/bundle.sh).
std::string commit() {
  std::string carried;
  std::ifstream(places::sources() / "commit") >> carried;
  return carried.empty() ? asked_of_git() : carried;
}

}  // namespace

std::string machine_line() {
  const auto now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  return fmt::format("{} ({} cores); {}; {:%Y-%m-%d %H:%M} UTC; commit {}", processor(),
                     std::thread::hardware_concurrency(), card(), fmt::gmtime(now), commit());
}

}  // namespace ridgeline::bench
