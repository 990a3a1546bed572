// Reads lines off a descriptor on a thread of its own, to the end and as they come, however slowly they are
// taken: whoever writes them never waits for us. Those that wait are spooled (spool.hpp).
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

class LineSource {
 public:
  struct Line {
    std::size_t number = 0;  ///< from 1; blank lines only count
    bool too_long = false;   ///< its text was skipped
    std::string text;
  };

  /// `news` is called on the reading thread where `next` or `ended` may say something else than before.
  /// `memory`: bytes of lines that wait in memory.
  LineSource(int fd, std::size_t longest_line, std::size_t memory, std::function<void()> news);
  LineSource(const LineSource&) = delete;  // its thread knows it by address
  LineSource& operator=(const LineSource&) = delete;
  ~LineSource();  ///< stops at once, even inside a read, and joins

  // From any thread.

  /// The oldest that waits.
  std::optional<Line> next();
  /// The input is over, and no line waits.
  bool ended() const;
  /// Why it was over before its end; "" where it was not.
  std::string error() const;

 private:
  void read_all();
  void keep(std::size_t number, bool too_long, std::string_view text);
  /// Bytes read; 0 at the end or when stopped; throws MachineCannot.
  std::size_t read_block(char* into, std::size_t most);

  int fd_;
  int stop_pipe_[2] = {-1, -1};
  std::size_t longest_line_;
  std::function<void()> news_;
  mutable std::mutex mutex_;
  Spool waiting_;
  bool read_to_end_ = false;
  bool told_ = false;  // news were given, and nobody has looked since
  std::string error_;
  std::thread thread_;
};

}  // namespace ridgeline::evaluation
