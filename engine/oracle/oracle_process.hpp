// The oracle: a trusted Python process with torch that runs tasks in KernelBench's format as they are
// (ridgeline_oracle/, compiled into this library). It holds what no candidate may see: the reference, the
// seeds of inputs, the expected outputs. A task comes as text, so that the machine needs no clone.
//
//   describe, check                  each by itself
//   load, then draw, then run        as often as wanted: load once, draw again and again, run on each draw
//
// One request at a time, by one thread. Tensors never pass through the conversation: the caller makes memory
// files (memfd) or allocations of a device, the oracle maps and fills them. A request that ends the process
// (a crash, a time limit, no memory) is a result like any other; the next request starts a fresh one, in
// which nothing is loaded.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "engine/core/names.hpp"
#include "engine/oracle/description.hpp"
#include "engine/oracle/facts.hpp"

namespace ridgeline::oracle {

struct OracleSettings {
  std::string python = "python3";        ///< a program in PATH or a path; must be able to import torch
  std::string device = "cpu";            ///< or "cuda:<index>": where models and inputs are made and run
  std::uint64_t memory_bytes = 0;        ///< that tensors may take; 0: what the device has free
  int threads = 0;                       ///< of the CPU; 0: torch's own choice
  std::vector<std::string> environment;  ///< all that the process gets of it, "NAME=value": no API key in it
  double start_seconds = 300;            ///< until torch is imported: long where a machine is busy
};

struct TaskText {
  std::string name;  ///< "level1/23_Softmax": what messages and tracebacks call it
  std::string text;  ///< of the file
};

enum class FailureKind {
  task,    ///< the file cannot be loaded or run, or asks for what there is no support for
  memory,  ///< more than there is
  time,    ///< more than was given
  died     ///< the process ended by itself
};
constexpr auto enum_names(FailureKind) {
  return std::to_array<Name<FailureKind>>({{FailureKind::task, "task"},
                                           {FailureKind::memory, "memory"},
                                           {FailureKind::time, "time"},
                                           {FailureKind::died, "died"}});
}

struct OracleFailure {
  FailureKind kind = FailureKind::task;
  std::string message;
};
template <class T>
using Answer = std::variant<T, OracleFailure>;

/// Where tensors lie: in `files[place.file]`, from `offset`, contiguous. At most 253 files a request.
struct Place {
  std::size_t file = 0;
  std::uint64_t offset = 0;  ///< a multiple of the element's size
  std::uint64_t bytes = 0;   ///< exactly the tensor's
};
struct TensorMemory {
  std::vector<int> files;  ///< descriptors that stay the caller's
  std::vector<Place> places;
  /// Empty: memory files. Else the files are allocations of the oracle's own device, exported for sharing,
  /// and these are their bytes; all that others asked of the device for them must be done by then.
  std::vector<std::uint64_t> device_bytes = {};
};

struct Loaded {};
struct Drawn {};

enum class Precision {
  float32,  ///< every tensor in the dtype that the description names
  float64   ///< floating ones in float64, complex ones in complex128, integers as they are
};
constexpr auto enum_names(Precision) {
  return std::to_array<Name<Precision>>({{Precision::float32, "float32"}, {Precision::float64, "float64"}});
}
/// The dtype of a tensor's place in a run, and the bytes of that place.
DType dtype_in(Precision precision, DType described);
std::uint64_t byte_count(const TensorFact& tensor, Precision precision);

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
  std::string drawn_on = {};  ///< a device; "": the oracle's own
};
/// Those that KernelBench constructs the task's model and the answer's with, each by itself, before it moves
/// both to the card (src/kernelbench/eval.py: seed_num, set_seed).
inline const Weights kernelbench_weights{42, "cpu"};

/// What a run's outputs depend on, beside the places and what is loaded and drawn.
struct RunRequest {
  Precision precision = Precision::float32;
  std::uint64_t seed = 0;  ///< of generators, set before the forward
  Arguments arguments = Arguments::drawn;
};
struct Ran {
  double forward_seconds = 0;
};

/// What the last request took.
struct Cost {
  double seconds = 0;
  std::uint64_t peak_bytes = 0;  ///< resident memory on a CPU, tensors' on a GPU; 0 if the process ended
};

class OracleProcess {
 public:
  /// Starts nothing yet.
  explicit OracleProcess(OracleSettings settings);
  OracleProcess(OracleProcess&&) noexcept;
  OracleProcess& operator=(OracleProcess&&) noexcept;
  ~OracleProcess();  ///< ends the process

  /// Begins to start the process where none is up, and does not wait: what the first request would wait for
  /// goes on beside. Throws MachineCannot where there is no such program.
  void begin();

  // Each takes seconds after which the process is ended, and throws MachineCannot where it cannot be started:
  // no such Python, no torch in it, no such device. Each message names the fix.

  Answer<Description> describe(const TaskText& task, double limit);

  /// Builds the model and writes its state, in the order of the description. A memory without places leaves
  /// it unwritten. Stays until the next load, describe or check, or until the process ends.
  Answer<Loaded> load(const TaskText& task, const Weights& weights, const TensorMemory& state, double limit);

  /// Draws inputs of the loaded task and writes their tensors, in the order of the description; without
  /// places, nothing is written. Stays until the next draw, and as long as what is loaded.
  Answer<Drawn> draw(std::uint64_t inputs_seed, const TensorMemory& inputs, double limit);

  /// A draw for runs on given arguments alone: of the inputs' values nothing is kept, which may be gigabytes.
  /// `input_bytes`: so many; few are drawn and dropped, which is quicker than to ask for their shapes.
  Answer<Drawn> draw_shapes(std::uint64_t input_bytes, double limit);

  /// One forward, TF32 off, after a draw. Places: of `given` arguments all input tensors, then all state
  /// tensors, each in the order of the description; then the outputs; all in the dtypes of `precision`. What
  /// is loaded and drawn lends given arguments its structure and its plain inputs, and stays as it is.
  Answer<Ran> run(const RunRequest& request, const TensorMemory& memory, double limit);

  /// The trials and nulls of `tasks check`. `seconds`: given up earlier where they would take longer.
  Answer<CheckFacts> check(const TaskText& task, bool with_float64, double seconds);

  /// Whether a load still stands. False too after a request that ended the process.
  bool loaded() const { return loaded_; }

  const Cost& last_cost() const { return cost_; }

 private:
  class Child;
  void start();
  Answer<std::string> ask(const std::string& request, std::span<const int> files, double limit);
  OracleFailure end_child(FailureKind kind, const std::string& why);

  OracleSettings settings_;
  std::unique_ptr<Child> child_;
  bool heard_ = false;  ///< the process has said that it is ready
  bool loaded_ = false;
  Cost cost_;
};

}  // namespace ridgeline::oracle
