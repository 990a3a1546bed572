// Reads lines off a descriptor on a thread of its own, and only as many as were allowed.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace ridgeline::evaluation {

class LineSource {
 public:
  struct Events {  ///< called on the reading thread
    std::function<void(std::string line, std::size_t number)>
        line;                                          ///< numbers from 1; blank lines only count
    std::function<void(std::size_t number)> too_long;  ///< that line was skipped
    std::function<void(std::string error)> end;        ///< last; "" at the end of the input
  };

  /// `allowed` lines may be delivered before `allow_one` is called.
  LineSource(int fd, std::size_t allowed, std::size_t longest_line, Events events);
  LineSource(const LineSource&) = delete;  // its thread knows it by address
  LineSource& operator=(const LineSource&) = delete;
  ~LineSource();  ///< stops at once, even inside a read, and joins

  void allow_one();

 private:
  void read_all();
  bool wait_for_allowance();
  /// Bytes read; 0 at the end or when stopped; throws MachineCannot.
  std::size_t read_block(char* into, std::size_t most);

  int fd_;
  int stop_pipe_[2] = {-1, -1};
  std::size_t longest_line_;
  Events events_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t allowed_;
  bool stopped_ = false;
  std::thread thread_;
};

}  // namespace ridgeline::evaluation
