// Starts the oracle's process, exchanges lines with it, and ends it. For one thread; retries nothing.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/core/file_descriptor.hpp"
#include "engine/oracle/oracle_process.hpp"
#include "engine/posix/child_process.hpp"

namespace ridgeline::oracle {

/// Owns the process, the socket and the memory file of its output.
class OracleProcess::Child {
 public:
  /// Starts the interpreter in a process group of its own, with the socket as descriptor 3 and its output and
  /// errors in a memory file. Throws MachineCannot.
  Child(const std::string& python, const std::vector<std::string>& environment);
  ~Child();  ///< ends the whole group
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// Sends a line and, with its first byte, the descriptors `files`, which stay the caller's. False if the
  /// process has closed its end.
  bool send(const std::string& line, std::span<const int> files = {});

  enum class Received { line, closed, late };  ///< `late`: the limit passed before a line came
  /// Waits at most `limit` seconds for the next line and stores it without its end.
  Received receive(std::string& line, double limit);

  /// Kills the group and says how the process ended: "exit status 1", "killed by signal 9". Waits
  /// `patience_ms` before it kills, so that a process that is ending by itself reports its own status.
  std::string end(int patience_ms);

  /// Returns the end of its output since the last `forget_output`: at most 2000 bytes.
  std::string output_tail() const;
  /// Empties the output, so that a failure quotes the lines of its own request.
  void forget_output();

 private:
  posix::ChildProcess process_;
  FileDescriptor link_, output_;
  std::string rest_;  ///< bytes received behind the last line
};

/// Returns the first line that the process is sent: the package's texts and the settings.
std::string start_line(const OracleSettings& settings);

/// Returns the program that the interpreter runs by -c.
const char* bootstrap_text();

}  // namespace ridgeline::oracle
