// Describes the job file that a Python runner loads: a candidate in `torch` or `triton`, and what the
// arena's arguments mean to it.
//
// The agent composes it for candidates and for a compiled reference; the judge composes it for a reference
// that is not compiled. engine/worker/runner/python/ridgeline_runner/job.py reads it. A candidate's job
// never contains the reference, its outputs or the seeds of inputs.
//
//   {"class": "ModelNew",             the class to construct, derived from torch.nn.Module
//    "source": "...", "name": "answer.py",        its text, and what messages call it
//    "init": {"arguments": [...], "named": {...}},  of the constructor; a tuple is {"tuple": [...]}
//    "training": true,                the mode that forward runs in
//    "function": "gelu", "adapter": "...",  of a task whose answers are functions: the function's name, and
//    the
//                                     text that makes the class of it
//                                     (runner/python/ridgeline_runner/adapted.py)
//    "seed": 42,                      of torch, set just before construction: the public one
//    "cast_to": "bfloat16",           what its parameters and buffers are cast to once it is constructed
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
// scalars by position, and writes into those of role `out` and `inout`. Its job has "form": "kernel", and
// "class" is the function's name; it has no "init", "forward" or states. Its shapes depend on the case: they
// are expressions in the sizes, whose values come with each arrangement (runner/wire.hpp).
//
//   "sizes": ["M", "N"], "scalars": ["float64", "int64", "bool"],
//   "tensors": [{"name": "x", "role": "in", "dtype": "float32", "shape": ["M", "N // 2"]}, ...]
//
// In a module's job, tensors of role `out` are what forward returns, in order. Tensors with a `state` are
// the reference's weights, named by their dotted path in the reference's model: their role is `in`, and they
// are no arguments of forward.
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

/// A tensor of the arena.
struct TorchTensor {
  std::string name;
  Role role = Role::in;  ///< never inout in a module
  DType dtype = DType::float32;
  std::vector<std::int64_t> shape;        ///< in a module's job
  std::vector<std::string> extents;       ///< in a kernel's job: the shape as expressions in the task's sizes
  std::string state;                      ///< "conv.weight"; "" for arguments and results of forward
  StateKind kind = StateKind::parameter;  ///< only parameters are matched by order
  std::optional<std::size_t> argument;    ///< empty: the tensor's position among `tensors`
  std::size_t offset = 0;                 ///< in bytes, a multiple of the element's size
};

/// An argument of forward that is a tensor.
struct TensorAt {
  std::size_t tensor = 0;  ///< index into TorchJob::tensors
};
/// An argument of forward that is a number, string, list or None, as JSON.
struct PlainValue {
  std::string json;
};
using ForwardArgument = std::variant<TensorAt, PlainValue>;

/// A C++ extension that an answer had built (load_inline, load).
struct TorchModule {
  std::string key;          ///< hash of the request's content
  std::string name;         ///< the name that it was built under
  std::uint64_t bytes = 0;  ///< size of its library, which torch_artefact.hpp packs
  std::string error;        ///< not empty: it did not build; the answer gets this error
};

/// A file of triton's cache, in which it finds a compiled kernel.
struct TorchKernelFile {
  std::string name;
  std::uint64_t bytes = 0;
};

/// The content of a job file; the comment above explains each key.
struct TorchJob {
  Form form = Form::module;
  std::string entry = "ModelNew";
  std::string source;
  std::string name = "answer.py";
  std::string init_arguments = "[]";  ///< a JSON list
  std::string init_named = "{}";      ///< a JSON object
  bool training = true;
  std::string function, adapter;  ///< "" of a task whose answers are classes
  std::optional<DType> cast_to;   ///< empty: the model stays as constructed
  std::uint64_t seed = 42;
  bool in_place = false;  ///< saves moving gigabytes of weights from the CPU, which takes seconds
  bool triton = false;    ///< the answer imports triton
  std::optional<CompileMode> compile = {};
  std::vector<TorchTensor> tensors;
  std::vector<ForwardArgument> forward;
  std::vector<TorchModule> modules;
  std::vector<TorchKernelFile> kernels;
  std::vector<std::string> sizes;   ///< kernel: the names of its sizes, in the order of its parameters
  std::vector<ScalarType> scalars;  ///< kernel: the types of its scalars
};

/// Makes the job of `task`, which must have a module, for the class `entry` in `source`. The tensors are the
/// task's, in the order of parameters, in the shapes of its first case. `name` is what messages call the
/// source.
TorchJob torch_job(const Task& task, std::string entry, std::string source, std::string name);

/// Makes the job of `task` for the kernel function in `source`.
TorchJob kernel_job(const Task& task, std::string source, std::string name);

/// Returns the values that a kernel's arrangement for a case carries: {"sizes": [...], "floats": [...],
/// "integers": [...]}, in the order of runner/wire.hpp. One line of JSON.
std::string arranged_values(const Task& task, const Case& one);

/// Returns the file name of the library of TorchJob::modules[position], which lies beside the job file.
std::string module_file(std::size_t position);

/// Returns the file's text, a single line. Throws BadInput if a value of the task is not JSON.
std::string to_json(const TorchJob& job);

}  // namespace ridgeline::protocol
