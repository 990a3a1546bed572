// The oracle: a trusted Python process with torch that runs tasks in KernelBench's format as they are
// (ridgeline_oracle/, compiled into this library). It holds what no candidate may see: the reference, the
// seeds of inputs, the expected outputs. A task comes as text, so that the machine needs no clone.
//
//   describe, check, scale, harvest  each by itself
//   load, then draw, then run        any number of times: load once, draw again and again, run on each draw
//
// One request at a time, by one thread. Tensors never pass through the conversation: the caller makes memory
// files (memfd) or allocations of a device, the oracle maps and fills them. A request that ends the process
// (a crash, a time limit, no memory) is a result like any other; the next request starts a fresh one, in
// which nothing is loaded.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "engine/core/names.hpp"
#include "engine/oracle/description.hpp"
#include "engine/oracle/facts.hpp"
#include "engine/oracle/harvest.hpp"

namespace ridgeline::oracle {

/// How to start the process.
struct OracleSettings {
  std::string python = "python3";  ///< a program in PATH or a path; must be able to import torch
  std::string device = "cpu";      ///< "cpu" or "cuda:<index>": models and inputs are made and run there
  std::uint64_t memory_bytes = 0;  ///< the limit for tensors; 0 means all that the device has free
  int threads = 0;                 ///< threads of the CPU; 0 means torch's own choice
  std::vector<std::string> environment;  ///< its whole environment, "NAME=value", without any API key
  double start_seconds = 300;            ///< the limit until torch is imported: a busy machine is slow
};

/// A task file.
struct TaskText {
  std::string name;  ///< its name in messages and tracebacks: "level1/23_Softmax"
  std::string text;  ///< the file's text
  /// What parameters, buffers and floating inputs are cast to. Empty: they stay as the file has them.
  std::optional<DType> cast_to = {};
};

/// A number of a task file that was made smaller.
struct ScaledNumber {
  std::string name;
  std::int64_t from = 0, to = 0;
};
/// A task file with smaller shapes.
struct ScaledText {
  std::string text;
  std::vector<ScaledNumber> changed;
};

/// Why a request has no result.
enum class FailureKind {
  task,    ///< the file cannot be loaded or run, or needs something that is not supported
  memory,  ///< it needs more than there is
  time,    ///< it took longer than the limit
  died     ///< the process ended by itself
};
constexpr auto enum_names(FailureKind) {
  return std::to_array<Name<FailureKind>>({{FailureKind::task, "task"},
                                           {FailureKind::memory, "memory"},
                                           {FailureKind::time, "time"},
                                           {FailureKind::died, "died"}});
}

/// A failed request, with the reason in words.
struct OracleFailure {
  FailureKind kind = FailureKind::task;
  std::string message;
};
template <class T>
using OracleResult = std::variant<T, OracleFailure>;

/// A tensor's place: in `files[file]` of a TensorMemory, from `offset`, contiguous.
struct TensorPlace {
  std::size_t file = 0;
  std::uint64_t offset = 0;  ///< a multiple of the element's size
  std::uint64_t bytes = 0;   ///< exactly the tensor's size
};
/// Memory that the caller shares with the oracle for the tensors of a request: at most 253 files, which Linux
/// passes with one message.
struct TensorMemory {
  std::vector<int> files;  ///< descriptors that stay the caller's
  std::vector<TensorPlace> places;
  /// Empty if the files are memory files. Else they are allocations of the oracle's own device, exported for
  /// sharing, and these are their sizes. All work that uses them must have ended on the device before the
  /// request.
  std::vector<std::uint64_t> device_bytes = {};
};

struct Loaded {};  ///< the model is there
struct Drawn {};   ///< the inputs are there

/// The dtypes that a forward computes in.
enum class Precision {
  float32,  ///< every tensor in the dtype that the description names
  float64   ///< floating tensors in float64, complex ones in complex128, integers as they are
};
constexpr auto enum_names(Precision) {
  return std::to_array<Name<Precision>>({{Precision::float32, "float32"}, {Precision::float64, "float64"}});
}
/// Return the dtype of a tensor's place in a run, and the bytes of that place.
DType dtype_in(Precision precision, DType described);
std::uint64_t byte_count(const TensorFact& tensor, Precision precision);

/// Which values a forward is given.
enum class Arguments {
  drawn,  ///< the inputs of the last draw, the state as loaded
  given   ///< the caller's inputs and state
};
constexpr auto enum_names(Arguments) {
  return std::to_array<Name<Arguments>>({{Arguments::drawn, "drawn"}, {Arguments::given, "given"}});
}

/// Which values a model is constructed with.
struct Weights {
  std::uint64_t seed = 0;
  std::string drawn_on = {};  ///< a device; "" means the oracle's own
};
/// The weights with which KernelBench constructs the task's model and the answer's, each by itself, before it
/// moves both to the card (src/kernelbench/eval.py: seed_num, set_seed).
inline const Weights kernelbench_weights{42, "cpu"};

/// One forward. Its outputs also depend on the loaded model and the drawn inputs.
struct RunRequest {
  Precision precision = Precision::float32;
  std::uint64_t seed = 0;  ///< random generators are set to it before the forward
  Arguments arguments = Arguments::drawn;
  /// With `given` arguments, the rows (dimension 0) that the places of `batched` inputs and of all outputs
  /// have; 0: as many as the draw. `batched` has one entry for each input tensor.
  std::int64_t rows = 0;
  std::vector<bool> batched = {};
};
struct RunResult {
  double forward_seconds = 0;
};

/// The cost of the last request.
struct Cost {
  double seconds = 0;
  std::uint64_t peak_bytes = 0;  ///< resident memory on a CPU, tensors alone on a GPU; 0 if the process ended
  std::uint64_t held_bytes = 0;  ///< of a GPU, that it keeps after the request
};

/// Owns the process. Movable, not thread-safe.
class OracleProcess {
 public:
  /// Starts nothing yet: the first request or `begin` does.
  explicit OracleProcess(OracleSettings settings);
  OracleProcess(OracleProcess&&) noexcept;
  OracleProcess& operator=(OracleProcess&&) noexcept;
  ~OracleProcess();  ///< ends the process

  /// Starts the process if there is none, without waiting until it is ready. Throws MachineCannot if there is
  /// no such program.
  void begin();

  // Each request takes a limit in seconds, after which the process is ended. Each throws MachineCannot if the
  // process cannot be started (no such Python, no torch in it, no such device), with a message that says how
  // to fix it.

  OracleResult<Description> describe(const TaskText& task, double limit);

  /// Builds the model and writes its state in the order of the description, or nothing if `state` has no
  /// places. The model stays until the next load, describe or check, or until the process ends.
  OracleResult<Loaded> load(const TaskText& task, const Weights& weights, const TensorMemory& state,
                            double limit);

  /// Draws inputs of the loaded task and writes their tensors in the order of the description, or nothing if
  /// `inputs` has no places. The draw stays until the next one, and no longer than the model.
  OracleResult<Drawn> draw(std::uint64_t inputs_seed, const TensorMemory& inputs, double limit);

  /// Draws for runs on given arguments alone: the inputs' values, which may be gigabytes, are not kept. If
  /// `input_bytes` are few they are drawn and dropped, which takes less time than tracing their shapes.
  OracleResult<Drawn> draw_shapes(std::uint64_t input_bytes, double limit);

  /// Runs one forward after a draw, with TF32 off. `memory` has places for the outputs; with `given`
  /// arguments it has before them places for all input tensors and all state tensors, each in the order of
  /// the description. All are in the dtypes of `precision`. Given arguments take their structure and plain
  /// inputs from the model and the draw, which stay as they are. The outputs' places may overlap those of
  /// given arguments, which are then not what they were.
  OracleResult<RunResult> run(const RunRequest& request, const TensorMemory& memory, double limit);

  /// Runs the trials and null answers of `tasks check`. Gives up early if they would take longer than
  /// `seconds`.
  OracleResult<CheckFacts> check(const TaskText& task, bool with_float64, double seconds);

  /// Makes the inputs of a task smaller: divides whole numbers at the top level of its file that get_inputs
  /// reads, beginning with the one that makes an input's first dimension smaller, by `divisor` in all.
  /// Parameters and buffers keep their shapes. A file where that cannot be done is a failure of kind `task`.
  /// Runs on shapes alone.
  OracleResult<ScaledText> scale(const TaskText& task, std::int64_t divisor, double limit);

  /// Runs the reference with its test, and makes a module of the calls that can be judged. Other requests
  /// take the module's text. A reference or a test that raises is a failure of kind `task`.
  OracleResult<Harvest> harvest(const TestedText& text, double limit);

  /// Whether a model is loaded. A request that ended the process unloads it.
  bool loaded() const { return loaded_; }

  const Cost& last_cost() const { return cost_; }

 private:
  class Child;
  void start();
  OracleResult<std::string> ask(const std::string& request, std::span<const int> files, double limit);
  OracleFailure end_child(FailureKind kind, const std::string& why);

  OracleSettings settings_;
  std::unique_ptr<Child> child_;
  bool ready_ = false;  ///< the process has said that it is ready
  bool loaded_ = false;
  Cost cost_;
};

}  // namespace ridgeline::oracle
