// The file that a Python runner loads: one candidate in `torch` or `triton`, and what the arena's arguments
// mean to it.
// Composed by the agent for candidates and for a reference that is compiled, by the judge for one that is
// not, read by engine/worker/runner/python/ridgeline_runner/job.py. In a candidate's the reference, its
// outputs and the seeds of inputs have no place.
//
//   {"class": "ModelNew",             the class to construct, derived from torch.nn.Module
//    "source": "...", "name": "answer.py",        its text, and what messages call it
//    "init": {"arguments": [...], "named": {...}},  of the constructor; a tuple is {"tuple": [...]}
//    "training": true,                the mode that forward runs in
//    "seed": 42,                      of torch, set just before construction: the public one
//    "in_place": true,                on the device that forward runs on: of a reference alone, whose weights
//                                     are given anew. A candidate is constructed on the CPU
//    "triton": true,                  imported before the answer is executed
//    "compile": "default",            by torch.compile in this mode, at its first call: of a reference alone
//    "tensors": [                     by default the arena's arguments in order
//      {"name": "x", "role": "in", "dtype": "float32", "shape": [2, 3], "state": "", "kind": "parameter",
//       "argument": 0, "offset": 0},  which argument it lies in (several may share one), at which byte of it
//      ...],
//    "forward": [{"tensor": 0}, {"value": 3}],    forward's arguments by position: an index above, or a plain
//                                                 value
//    "modules": [                     what load_inline and load are answered with, by the content of a
//    request
//      {"key": "6f1c…", "name": "scale", "file": "module0.so", "bytes": 81920},   (runner/python/
//                                                                          ridgeline_runner/extension.py)
//      {"key": "77ab…", "error": "Error building extension 'scale': …"}],   raised where it is asked for
//    "kernels": [{"name": "4AY4…-add.cubin", "bytes": 9016}, ...]}   that triton compiled before, in the
//    folder `kernels` (runner/python/ridgeline_runner/kernels.py)
//
// A candidate of the form `kernel` is a function that gets every argument of the arena, the sizes and the
// scalars by position, and writes into those of role `out` and `inout`. Its job says "form": "kernel" and in
// "class" the function's name; "init", "forward" and states have no place in it. Its shapes hang on the case:
// they are expressions in the sizes, whose values come with each arrangement (runner/wire.hpp).
//
//   "sizes": ["M", "N"], "scalars": ["float64", "int64", "bool"],
//   "tensors": [{"name": "x", "role": "in", "dtype": "float32", "shape": ["M", "N // 2"]}, ...]
//
// In a module's, tensors of role `out` are what forward returns, in order. Those with a `state` are the
// reference's weights, named there by their dotted path in the reference's model: role `in`, and no argument
// of forward.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/core/compile_mode.hpp"
#include "engine/core/dtype.hpp"
#include "engine/core/task.hpp"

namespace ridgeline::protocol {

struct TorchTensor {
  std::string name;
  Role role = Role::in;  ///< of a module never inout
  DType dtype = DType::float32;
  std::vector<std::int64_t> shape;        ///< of a module's
  std::vector<std::string> extents;       ///< of a kernel's: its shape in the task's sizes
  std::string state;                      ///< "conv.weight"; "" for what forward takes and returns
  StateKind kind = StateKind::parameter;  ///< of state; parameters alone are matched by order
  std::optional<std::size_t> argument;    ///< empty: its position among `tensors`
  std::size_t offset = 0;                 ///< bytes, a multiple of the element's size
};

struct TensorAt {
  std::size_t tensor = 0;  ///< index into TorchJob::tensors
};
struct PlainValue {
  std::string json;
};
using ForwardArgument = std::variant<TensorAt, PlainValue>;

/// What an answer had built.
struct TorchModule {
  std::string key;
  std::string name;         ///< under which it was built
  std::uint64_t bytes = 0;  ///< of its library, which torch_artefact.hpp carries
  std::string error;        ///< not empty: it did not build, and the answer goes on without it
};

/// A file of those by which triton finds what it compiled.
struct TorchKernelFile {
  std::string name;
  std::uint64_t bytes = 0;
};

struct TorchJob {
  Form form = Form::module;
  std::string entry = "ModelNew";
  std::string source;
  std::string name = "answer.py";
  std::string init_arguments = "[]";  ///< as JSON
  std::string init_named = "{}";      ///< as JSON
  bool training = true;
  std::uint64_t seed = 42;
  bool in_place = false;  ///< drawing gigabytes of weights on the CPU and moving them takes seconds
  bool triton = false;    ///< the answer imports it
  std::optional<CompileMode> compile = {};
  std::vector<TorchTensor> tensors;
  std::vector<ForwardArgument> forward;
  std::vector<TorchModule> modules;
  std::vector<TorchKernelFile> kernels;
  std::vector<std::string> sizes;   ///< of a kernel: their names, in the order in which it takes them
  std::vector<ScalarType> scalars;  ///< of a kernel
};

/// The job of `task`, which has a module, for the class `entry` in `source`: the tensors are its own, in the
/// order of parameters, in the shapes of its first case.
TorchJob torch_job(const Task& task, std::string entry, std::string source, std::string name);

/// The job of `task` for the function in `source` that is its kernel.
TorchJob kernel_job(const Task& task, std::string source, std::string name);

/// What a kernel's arrangement for `one` says: {"sizes": [...], "floats": [...], "integers": [...]}, the
/// order being that of runner/wire.hpp. A line of JSON.
std::string arranged_values(const Task& task, const Case& one);

/// What the library of TorchJob::modules[position] is called beside the job file.
std::string module_file(std::size_t position);

/// The file's text, a single line. Throws BadInput where a value of the task is no JSON.
std::string to_json(const TorchJob& job);

}  // namespace ridgeline::protocol
