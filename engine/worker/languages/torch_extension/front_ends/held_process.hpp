// A compiler's front end that has read fixed headers and waits: confined, and forked for each source behind
// them (held/held.cpp). The process itself reads no source of an answer; each child confines itself before it
// does: no file to write, no device, no system call but those of reading and computing, 20 s of CPU.
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
  const std::atomic<bool>* stop = nullptr;                     // nobody waits any more once it is true
};

class HeldProcess {
 public:
  /// Starts it. Throws MachineCannot or BadInput.
  explicit HeldProcess(const HeldPlan& plan);

  /// Waits until it is held, at most `limit` seconds or until `stop`. Returns why it is not, in its own
  /// words;
  /// "" if it is.
  std::string await(double limit);
  /// Takes its output and enforces limits. False: it has ended.
  bool look();
  /// Ends it with its children.
  void end() { child_.kill_tree(); }

  /// Has a child read `text` and returns what it said. Unknown if the process or the child was ended.
  Said ask(const std::string& text);

 private:
  const std::atomic<bool>& stop_;
  FileDescriptor control_;
  std::mutex sending_;
  sandbox::Child child_;
};

}  // namespace ridgeline::front_ends
