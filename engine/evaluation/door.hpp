// `ridgeline evaluate --batch -`: reads requests as JSON lines and writes each verdict when its evaluation
// ends. The workers stay up in between.
//
// Reading and writing never wait for each other: the input is read to its end while requests wait, so that a
// trainer may write all of its lines before it reads the first verdict, and verdicts wait for a slow reader.
// Lines beyond `memory` bytes wait in temporary files. At most `in_flight` requests are with the evaluator at
// once. A bad line is answered by an error line and the batch goes on. Verdicts come in any order; ids tell
// which is which.
#pragma once

#include <memory>

#include "engine/evaluation/door_lines.hpp"
#include "engine/evaluation/evaluator.hpp"

namespace boost::asio {
class io_context;
}

namespace ridgeline::evaluation {

/// How a batch is read and judged.
struct DoorSettings {
  protocol::EvaluateSettings evaluate;
  std::size_t in_flight = 16;
  std::size_t longest_line = std::size_t{16} << 20;  ///< bytes; a longer line is answered by an error
  std::size_t memory = std::size_t{16} << 20;        ///< bytes of waiting lines in memory, on either side
  ReadSource read_source = {};                       ///< empty: the whole source is the kernel
  std::string backend = {};                          ///< as in read_door_line
};

/// The result of a batch.
struct DoorCount {
  std::size_t verdicts = 0, errors = 0;
  /// Why the batch ended before its input did, as when nobody reads the verdicts any more; "" if it did not.
  std::string broken;

  /// Tells whether there were lines and each was an error: the caller's exit status then says so.
  bool nothing_but_errors() const { return errors > 0 && verdicts == 0; }
};

/// Runs one batch. It reads and writes on threads of its own, since either end may be a file, a pipe or a
/// terminal; all else happens on the io_context's thread, on which its methods are called.
class Door {
 public:
  /// `evaluator`, `lookup` and both file descriptors must outlive the door, which closes neither.
  Door(boost::asio::io_context& io, Evaluator& evaluator, TaskLookup lookup, DoorSettings settings, int input,
       int output);
  ~Door();  ///< stops, as `stop` does

  /// Starts the batch. Calls `done` once, on the io_context's thread, when the input has ended and every
  /// answer is written, or no more can be written. Keeps the io_context busy until then.
  void run(std::function<void(DoorCount)> done);
  /// Stops reading and drops the requests without an answer; `done` is not called.
  void stop();

 private:
  class Impl;
  std::shared_ptr<Impl> impl_;
};

}  // namespace ridgeline::evaluation
