// A compiler's front end that has read fixed headers and waits. It runs confined, and is forked for each
// source that follows the headers (held/held.cpp). The process itself reads no source of an answer. Each
// child limits itself to 20 s of CPU before it reads one. Unless the isolation is `none`, it also confines
// itself: it opens no file to write and no device, and makes only system calls that read and compute.
//
// Threads: ask() from any number at once. Everything else from the thread that made it, which has to live as
// long (sandbox/process.hpp).
#pragma once

#include <atomic>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/file_descriptor.hpp"
#include "engine/worker/languages/torch_extension/front_ends/check.hpp"
#include "engine/worker/sandbox/policy.hpp"
#include "engine/worker/sandbox/process.hpp"

namespace ridgeline::front_ends {

struct HeldPlan {
  std::vector<std::string> words;     // the command; it works in the policy's folder
  sandbox::Policy policy;             // of the process: what it may read, its folder to write
  std::vector<std::string> readable;  // files and folders that its children may read
  std::filesystem::path library;      // libridgeline-held.so
  std::vector<std::pair<std::string, std::string>> variables;  // of the environment, for held/held.cpp
  const std::atomic<bool>* stop = nullptr;  // must be set, outlives the process; true: waits end
};

class HeldProcess {
 public:
  /// Starts it. Throws MachineCannot or BadInput.
  explicit HeldProcess(const HeldPlan& plan);

  /// Waits until it is held, at most `limit` seconds or until `stop`. Returns "" if it is held. Otherwise
  /// returns why not: how it ended and what it wrote to stderr, or that it was not held in time.
  std::string await(double limit);
  /// Takes its output and enforces limits. False: it has ended.
  bool look();
  /// Ends it with its children.
  void end() { child_.kill_tree(); }

  /// Has a child read `text` and returns what it said. Returns End::unknown if the process or the child ended
  /// early, after 60 s of a child, and after `stop`. Throws MachineCannot.
  Said ask(const std::string& text);

 private:
  const std::atomic<bool>& stop_;
  FileDescriptor control_;
  std::mutex sending_;
  sandbox::Child child_;
};

}  // namespace ridgeline::front_ends
