// The oracle's process: started, spoken to in lines, and ended. One thread; no retries.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/core/file_descriptor.hpp"
#include "engine/oracle/oracle_process.hpp"
#include "engine/posix/child_process.hpp"

namespace ridgeline::oracle {

class OracleProcess::Child {
 public:
  /// Starts the interpreter in a process group of its own, with the socket as descriptor 3 and its output and
  /// errors in a memory file. Throws MachineCannot.
  Child(const std::string& python, const std::vector<std::string>& environment);
  ~Child();  ///< ends the whole group
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  /// A line and, beside its first byte, `files`. False if the process has closed its end.
  bool send(const std::string& line, std::span<const int> files = {});

  enum class Heard { line, closed, late };
  /// The next line, without its end, within `limit` seconds.
  Heard receive(std::string& line, double limit);

  /// Kills the group and says how the process ended: "exit status 1", "killed by signal 9". One that is about
  /// to end by itself is given `patience_ms`, so that its own status is told.
  std::string end(int patience_ms);

  /// The end of what it has printed since the last call of `forget_output`.
  std::string output_tail() const;
  void forget_output();

 private:
  posix::ChildProcess process_;
  FileDescriptor link_, output_;
  std::string rest_;  ///< received after the last line
};

/// The line that starts the package: its texts and the settings.
std::string start_line(const OracleSettings& settings);

/// What the interpreter runs by -c.
const char* bootstrap_text();

}  // namespace ridgeline::oracle
