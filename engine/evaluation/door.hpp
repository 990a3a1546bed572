// `ridgeline evaluate --batch -`: stays warm, reads requests as JSON lines, writes each verdict as it ends.
//
// Nobody waits for anybody: the input is read to its end however much of it waits, so that a trainer may
// write all of its lines before it reads the first verdict, and verdicts wait for a reader that is slow. What
// waits beyond `memory` lies in temporary files. At most `in_flight` requests are with the evaluator at once.
// A bad line is answered with an error line and ends nothing; neither does any candidate. Order of completion
// is free, ids tell.
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
  std::size_t memory = std::size_t{16} << 20;        ///< bytes of lines that wait in memory, on either side
  ReadSource read_source = {};                       ///< none: sources are taken as they are
  std::string backend = {};  ///< where what runs on several is judged (door_lines.hpp)
};

struct DoorCount {
  std::size_t verdicts = 0, errors = 0;
  /// Why it ended before its input did: the verdicts' reader is gone, …; "" if it did not.
  std::string broken;

  /// There were lines, and each of them was bad.
  bool nothing_but_errors() const { return errors > 0 && verdicts == 0; }
};

/// Reads and writes on threads of its own (both ends may be files, pipes or terminals) and works on the
/// io_context's.
class Door {
 public:
  /// `evaluator`, `lookup` and both descriptors outlive the door.
  Door(boost::asio::io_context& io, Evaluator& evaluator, TaskLookup lookup, DoorSettings settings, int input,
       int output);
  ~Door();  ///< stops

  /// Calls `done` once, on the io_context's thread, when the input has ended, and all is answered and
  /// written. Keeps the io_context busy until then.
  void run(std::function<void(DoorCount)> done);
  /// Reads no more and forgets what is unanswered; `done` is not called.
  void stop();

 private:
  class Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace ridgeline::evaluation
