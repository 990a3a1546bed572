// `ridgeline evaluate --batch -`: stays warm, reads requests as JSON lines, writes each verdict as it ends.
//
// Back-pressure: with `in_flight` requests unanswered it stops reading, so a trainer may write as fast as it
// likes; it must read the verdicts while it writes. A bad line is answered with an error line and ends
// nothing; neither does any candidate. Order of completion is free, ids tell.
#pragma once

#include <memory>

#include "engine/evaluation/door_lines.hpp"
#include "engine/evaluation/evaluator.hpp"

namespace boost::asio {
class io_context;
}

namespace ridgeline::evaluation {

struct DoorSettings {
  protocol::EvaluateSettings evaluate;
  std::size_t in_flight = 16;
  std::size_t longest_line = std::size_t{16} << 20;  ///< bytes; a longer one is a bad line
};

struct DoorCount {
  std::size_t verdicts = 0, errors = 0;
  std::string
      broken;  ///< why it ended before its input did: the verdicts' reader is gone, …; "" if it did not
};

/// Reads `input` on a thread of its own (it may be a file, a pipe or a terminal) and works on the
/// io_context's.
class Door {
 public:
  /// `evaluator`, `lookup` and both descriptors outlive the door.
  Door(boost::asio::io_context& io, Evaluator& evaluator, TaskLookup lookup, DoorSettings settings, int input,
       int output);
  ~Door();  ///< stops

  /// Calls `done` once, on the io_context's thread, when the input has ended and all is answered. Keeps the
  /// io_context busy until then.
  void run(std::function<void(DoorCount)> done);
  /// Reads no more and forgets what is unanswered; `done` is not called.
  void stop();

 private:
  class Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace ridgeline::evaluation
