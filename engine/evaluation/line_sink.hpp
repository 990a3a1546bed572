// Writes lines to a file descriptor on a thread of its own, so that a slow reader never makes the caller
// wait. Waiting lines are spooled (spool.hpp).
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include "engine/evaluation/spool.hpp"

namespace ridgeline::evaluation {

/// A queue of lines in front of a file descriptor.
class LineSink {
 public:
  /// Starts the thread. Calls `on_end` once, on that thread: with "" when every line before `close` is
  /// written, or with the reason why no more can be. At most `memory` bytes of lines wait in memory. `fd`
  /// must outlive the sink, which does not close it. Throws MachineCannot where no pipe can be made.
  LineSink(int fd, std::size_t memory, std::function<void(std::string)> on_end);
  LineSink(const LineSink&) = delete;  // its thread holds its address
  LineSink& operator=(const LineSink&) = delete;
  ~LineSink();  ///< stops at once, even inside a write, and joins; waiting lines are lost

  // May be called from any thread.
  void put(std::string line);
  void close();  ///< no line follows

 private:
  void write_all();
  bool wait_for_line(std::string& line);
  /// Writes the whole line. Returns false where the sink was stopped. Throws MachineCannot.
  bool write(std::string_view line);

  int fd_;
  int stop_pipe_[2] = {-1, -1};
  std::function<void(std::string)> on_end_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Spool waiting_;
  bool closed_ = false, stopped_ = false;
  std::string broken_;  // why a line could not be spooled or written; "" if none failed
  std::thread thread_;
};

}  // namespace ridgeline::evaluation
