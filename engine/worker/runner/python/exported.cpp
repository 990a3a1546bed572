// Exports C functions from libridgeline-python-runner.so, called through ctypes. It is linked to no
// Python, so one build serves every interpreter.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <utility>

#include "engine/cuda/driver.hpp"
#include "engine/worker/runner/channel.hpp"
#include "engine/worker/runner/python/module_calls.hpp"
#include "engine/worker/runner/python/python_candidate.hpp"
#include "engine/worker/runner/python/texts.hpp"
#include "engine/worker/runner/serve.hpp"
#include "engine/worker/runner/wire.hpp"
#include "engine/worker/sandbox/lockdown.hpp"

#define RIDGELINE_EXPORTED extern "C" __attribute__((visibility("default")))

using namespace ridgeline::runner;

namespace {

std::string copy_on_host(void* to, std::uintptr_t from, std::size_t bytes, std::uintptr_t) {
  std::memcpy(to, reinterpret_cast<const void*>(from), bytes);
  return {};
}

std::string copy_on_device(void* to, std::uintptr_t from, std::size_t bytes, std::uintptr_t stream) {
  const auto result = ridgeline::cuda::driver().cuMemcpyDtoDAsync(reinterpret_cast<CUdeviceptr>(to), from,
                                                                  bytes, reinterpret_cast<CUstream>(stream));
  return result == CUDA_SUCCESS ? "" : "copying a result: " + ridgeline::cuda::error_text(result);
}

/// A process holds one candidate.
python::ModuleCalls& module_calls() {
  // Never destroyed: its objects are the interpreter's, which may be gone before this library is.
  static auto* calls = new python::ModuleCalls(copy_on_host);
  return *calls;
}

}  // namespace

/// Returns the text of a module of the package ridgeline_runner; null if there is none of that name.
RIDGELINE_EXPORTED const char* ridgeline_python_text(const char* name) {
  for (const auto* module = python::modules; module->name; ++module)
    if (std::strcmp(module->name, name) == 0) return module->text;
  return nullptr;
}

/// Lays the lockdown of an interpreter on this process, which then writes to `channel` alone. Returns 0; if
/// the lockdown cannot be laid, the process ends with 3.
RIDGELINE_EXPORTED int ridgeline_python_confine(int channel) {
  try {
    const std::array<int, 3> descriptors{1, 2, channel};
    auto lockdown = ridgeline::sandbox::Lockdown::interpreter(descriptors);
    ridgeline::sandbox::prepare_for_lockdown();
    lockdown.install();
    return 0;
  } catch (const std::exception&) {
    std::_Exit(3);  // nothing of a candidate may run now
  }
}

/// Says that the device is not opened yet, and waits until it may be. Returns 0, or 3 if the judge is gone.
RIDGELINE_EXPORTED int ridgeline_python_wait(int channel) {
  Reply reply;
  reply.answer = Answer::waiting;
  Header order;
  const bool open = send_packet(channel, &reply, sizeof reply) &&
                    receive_packet(channel, &order, sizeof order).bytes == sizeof order &&
                    order.kind == Kind::open;
  return open ? 0 : 3;
}

// What Python gives for a module's calls (module_calls.hpp), with the interpreter's lock held. 0: it was
// taken.

RIDGELINE_EXPORTED int ridgeline_python_take_job(const python::TorchParts* parts,
                                                 const python::ModuleOutput* outputs, std::size_t count) {
  return module_calls().take_job(*parts, outputs, count) ? 0 : 1;
}
RIDGELINE_EXPORTED int ridgeline_python_take_model(python::Object* model, python::Object* restore,
                                                   python::Object* learn) {
  return module_calls().take_model(model, restore, learn) ? 0 : 1;
}
RIDGELINE_EXPORTED int ridgeline_python_take_slots(python::Object* slots) {
  return module_calls().take_slots(slots) ? 0 : 1;
}

/// Calls one slot from Python, while operators are watched, or in a test of the package, which places the
/// buffers itself. Text as in a callback.
RIDGELINE_EXPORTED int ridgeline_python_call_slot(std::size_t slot, char* text, std::size_t capacity,
                                                  std::size_t* length) {
  const auto phase = module_calls().phase();
  if (phase != python::Phase::observe && phase != python::Phase::unguarded) return 1;
  std::string said;
  const int code = module_calls().run(slot, 1, said);
  *length = said.copy(text, capacity);
  return code;
}
RIDGELINE_EXPORTED void ridgeline_python_place(void* const* pointers, std::size_t arguments) {
  if (module_calls().phase() == python::Phase::unguarded) module_calls().place(pointers, arguments);
}

/// Serves the judge at the other end of `channel` until it is gone. Returns 0, or 3 with the reason on
/// stderr.
///
/// `locked`: Lockdown::interpreter is laid before the candidate's source is executed, and holds for good. The
/// narrower Lockdown::running is not laid: an interpreter imports lazily, and oneDNN compiles what it needs
/// when it is first needed. Exec, fork, threads, sockets, signals and writing to files stay refused, as for a
/// library.
///
/// `device`: of CUDA, on which the judge's buffers lie; below 0 they are memory files. The interpreter has
/// torch's context there already, which is the primary one that CudaSide takes. Its lockdown is then that of
/// a device's runner. `counters`: CUPTI's library, "" where calls are not counted.
RIDGELINE_EXPORTED int ridgeline_python_serve(int channel, const python::Callbacks* callbacks, int locked,
                                              int device, const char* counters) {
  try {
    auto candidate = python::make_python_candidate(*callbacks, module_calls());
    if (device < 0) {
      serve(channel, make_host_side(), std::move(candidate),
            locked ? Lockdowns::interpreter : Lockdowns::none);
      return 0;
    }
    auto side = make_cuda_side(device);
    module_calls().copy_by(copy_on_device);
    auto counting = *counters != 0 ? make_cuda_counting(counters, device) : nullptr;
    serve(channel, std::move(side), make_replayed(std::move(candidate)),
          locked ? Lockdowns::device : Lockdowns::none,
          {std::move(counting), make_cuda_input_unsealer(device)});
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ridgeline-python-runner: %s\n", error.what());
    return 3;
  }
}
