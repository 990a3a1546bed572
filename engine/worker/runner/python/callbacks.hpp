// Holds what the interpreter's side gives to the loop that serves the judge: five C functions, made by
// ctypes. The same fields, in the same order, stand in ridgeline_runner/serve.py.
//
// Each is called on the thread that called ridgeline_python_serve, never from another, and returns 0 or a
// code beside a text: UTF-8, cut to `capacity` bytes, written to `text`, its length to `length`.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ridgeline::runner::python {

struct Callbacks {
  /// Reads the job file `path` (protocol/torch_job.hpp) and imports what its candidate wants beside torch,
  /// while that is still allowed; executes nothing of the candidate. 1: a load_error.
  int (*prepare)(const char* path, char* text, std::size_t capacity, std::size_t* length);
  /// Executes the job's candidate. 0: a module, 3: a kernel, whose launches can be recorded; 1: a load_error,
  /// 2: no_entry_point.
  int (*load)(char* text, std::size_t capacity, std::size_t* length);
  /// Makes views of all slots, of none while nothing is mapped. The pointer of argument a in slot s is at
  /// s * arguments + a. Sizes and scalars as in Arrangement; null where there are no slots.
  int (*arrange)(void* const* pointers, std::size_t slots, std::size_t arguments, const std::int64_t* sizes,
                 const double* float_scalars, const std::int64_t* int_scalars, char* text,
                 std::size_t capacity, std::size_t* length);
  /// Calls slots of a kernel in order, up to the first that fails. `stream`: of CUDA, on which the launches
  /// are recorded; 0 for none. A module's slots are called by ModuleCalls instead.
  int (*run)(std::size_t first, std::size_t count, std::size_t stream, char* text, std::size_t capacity,
             std::size_t* length);
  /// Calls one slot; with 0 the text names the operators of torch by which it computed (wire.hpp).
  int (*observe)(std::size_t slot, char* text, std::size_t capacity, std::size_t* length);
};

}  // namespace ridgeline::runner::python
