// The one way this program starts another that it trusts. (engine/worker/sandbox starts candidates and
// compilers, which it confines.)
//
//   auto [read, write] = make_pipe();
//   ChildProcess child({.words = {"/usr/bin/cc", "--version"},
//                       .environment = {"LC_ALL=C"},
//                       .descriptors = {{write.get(), STDOUT_FILENO}}});
//   write.reset();                    // else `read` never ends
//   …
//   const ChildExit end = child.wait();
//
// A child leads a process group, so that Ctrl-C in a terminal is this program's to handle and one signal
// reaches all that the child has started. It begins with no signal blocked and SIGINT, SIGPIPE, SIGQUIT and
// SIGTERM at their defaults, and has no descriptor but those named: whatever else this program opens has to
// be close-on-exec.
//
// Threads: any thread may start a child, and one thread at a time may use it. kill_group() alone may run
// while another thread uses the child. The caller then makes sure that wait() has not returned, since the
// child's number may belong to another process afterwards.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/error.hpp"
#include "engine/core/file_descriptor.hpp"
#include "engine/posix/child_exit.hpp"

namespace ridgeline::posix {

struct ChildCommand {
  struct Descriptor {
    int here;   ///< a number in this process
    int there;  ///< what it is in the child
  };
  std::vector<std::string> words;        ///< at least one; words[0] is a path, or a name to look for in PATH
  std::vector<std::string> environment;  ///< "NAME=value", all of it
  /// Standard streams that are not named are /dev/null.
  std::vector<Descriptor> descriptors = {};
  std::string working_folder = {};  ///< empty: this process's
  /// Sent to the child when the *thread* that starts it ends, thus also when this process is killed.
  std::optional<int> death_signal = std::nullopt;
  /// Ends the message of CannotStart, behind the reason: ": is it installed?".
  std::string advice = {};
};

class CannotStart : public MachineCannot {
 public:
  CannotStart(const std::string& message, int error_number) : MachineCannot(message), error(error_number) {}
  const int error;  ///< errno
};

class ChildProcess {
 public:
  /// No child.
  ChildProcess() = default;
  /// Throws CannotStart: "cannot start 'cc' (No such file or directory)" and the command's advice. Throws a
  /// plain MachineCannot if there are no more descriptors, Error if the command has no words.
  explicit ChildProcess(const ChildCommand& command);
  ChildProcess(ChildProcess&& other) noexcept;
  /// The child held before is ended as by the destructor.
  ChildProcess& operator=(ChildProcess&& other) noexcept;
  /// Kills the group of a child that was not waited for, and waits.
  ~ChildProcess();

  /// Whether there is a child that was not waited for.
  explicit operator bool() const { return pid_ > 0; }
  pid_t pid() const { return pid_; }
  /// Readable once the child has ended; owned here.
  int pidfd() const { return pidfd_.get(); }

  /// Waits at most `patience` for the child's end and returns whether it has ended. The child still has to be
  /// waited for, so no other process gets its number or its group's.
  bool ends_within(std::chrono::milliseconds patience) const;
  /// Sends SIGKILL to the child and to all that it has started, except processes that left its group.
  void kill_group() const;
  /// Waits for the child itself, however long that takes.
  ChildExit wait();
  /// kill_group() and wait().
  ChildExit end();

 private:
  pid_t pid_ = -1;  ///< also its group
  FileDescriptor pidfd_;
};

}  // namespace ridgeline::posix
