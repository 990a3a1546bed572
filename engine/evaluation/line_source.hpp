// Reads lines from a file descriptor on a thread of its own, to the end and as they come, so that a slow
// consumer never makes the writer wait. Waiting lines are spooled (spool.hpp).
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "engine/evaluation/spool.hpp"

namespace ridgeline::evaluation {

/// A queue of lines behind a file descriptor.
class LineSource {
 public:
  /// One line without its end.
  struct Line {
    std::size_t number = 0;  ///< from 1; blank lines are counted but not returned
    bool too_long = false;   ///< longer than `longest_line`: `next` returns it with an empty `text`
    std::string text;        ///< without '\n'; a '\r' before it stays
  };

  /// Starts the thread, which calls `on_change` when a line waits, and once more when the input is over.
  /// After a call for a line, none follows for further lines until `next` has returned nullopt. Of a line
  /// over `longest_line` bytes only the number is kept. At most `memory` bytes of lines wait in memory, the
  /// rest in a file. `fd` must outlive the source, which does not close it.
  LineSource(int fd, std::size_t longest_line, std::size_t memory, std::function<void()> on_change);
  LineSource(const LineSource&) = delete;  // its thread holds its address
  LineSource& operator=(const LineSource&) = delete;
  ~LineSource();  ///< stops at once, even inside a read, and joins; `on_change` may be called meanwhile

  // May be called from any thread.

  /// Returns the oldest waiting line, or nullopt where none waits. Throws MachineCannot where the spool
  /// cannot be read.
  std::optional<Line> next();
  /// Tells whether the input is over, by its end or an error, and no line waits.
  bool ended() const;
  /// Returns why the input was over before its end; "" where it was not.
  std::string error() const;

 private:
  void read_all();
  void spool_line(std::size_t number, bool too_long, std::string_view text);
  /// Reads up to `most` bytes into `into` and returns how many: 0 at the end or when stopped. Throws
  /// MachineCannot.
  std::size_t read_block(char* into, std::size_t most);

  int fd_;
  int stop_pipe_[2] = {-1, -1};
  std::size_t longest_line_;
  std::function<void()> on_change_;
  mutable std::mutex mutex_;
  Spool waiting_;
  bool read_to_end_ = false;
  bool notified_ = false;  // `on_change_` was called, and `next` has not said "none" since
  std::string error_;
  std::thread thread_;
};

}  // namespace ridgeline::evaluation
