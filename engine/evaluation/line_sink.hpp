// Writes lines to a descriptor on a thread of its own: whoever hands them over never waits for a reader that
// is slow. Those that wait are spooled (spool.hpp).
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

class LineSink {
 public:
  /// `over` is called once, on the writing thread: with "" when all is written that came before `close`, or
  /// with why no more can be. `memory`: bytes of lines that wait in memory.
  LineSink(int fd, std::size_t memory, std::function<void(std::string)> over);
  LineSink(const LineSink&) = delete;  // its thread knows it by address
  LineSink& operator=(const LineSink&) = delete;
  ~LineSink();  ///< stops at once, even inside a write, and joins; what waits is not written

  // From any thread.
  void put(std::string line);
  void close();  ///< no more comes

 private:
  void write_all();
  bool wait_for_line(std::string& line);
  /// False where it was stopped. Throws MachineCannot.
  bool write(std::string_view line);

  int fd_;
  int stop_pipe_[2] = {-1, -1};
  std::function<void(std::string)> over_;
  std::mutex mutex_;
  std::condition_variable changed_;
  Spool waiting_;
  bool closed_ = false, stopped_ = false;
  std::string broken_;  // where a line could not be kept
  std::thread thread_;
};

}  // namespace ridgeline::evaluation
