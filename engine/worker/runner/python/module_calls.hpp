// Calls a module of torch slot after slot, and copies its results into the judge's buffers: what runs inside
// the judge's window.
//
// The candidate shares the interpreter and can change whatever Python code, objects and operators of torch it
// finds there. So the loop, the places of the buffers and the copying are here, where Python does not reach.
// Results are made contiguous on the judge's device by torch's C functions, and then copied as bytes by the
// driver or the C library, whole; a result that lies in its output's own buffer is refused. A candidate that
// writes into the judge's buffers itself therefore pays for the copy all the same, and the copy overwrites
// what it wrote. Places, shapes and
// sizes of outputs are fixed before any code of the candidate runs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/worker/runner/candidate.hpp"
#include "engine/worker/runner/python/interpreter_api.hpp"

namespace ridgeline::runner::python {

/// Holds what calls of any module need of Python. The same fields, in the same order, stand in
/// ridgeline_runner/native.py. Functions of torch are the C functions themselves, which nothing can patch.
/// References are borrowed.
struct TorchParts {
  Object* tensor_type;
  Object *shape_of, *dtype_of, *layout_of, *is_here;  ///< of a tensor; is_here: on the judge's device
  Object *strided, *yes, *no;                         ///< torch.strided, True, False
  Object *to, *device;                                ///< to(tensor, device)
  Object *resolve_conj, *resolve_neg, *contiguous;    ///< of a tensor, which may be the tensor itself
  Object* address_of;                                 ///< of a tensor's first element
  Object *tuple_type, *list_type;
  Object* set_grad;                       ///< set_grad(bool): turns recording of gradients on or off
  Object *current_stream, *device_index;  ///< current_stream(device_index), CUDA's handle; null on a CPU
  Object* refusal;                        ///< refusal(result, position or -1) -> str, never timed
  Object* error_text;                     ///< error_text(exception) -> str, never timed
};

/// An output of the job, as ctypes lays it out.
struct ModuleOutput {
  std::size_t argument;  ///< of the arrangement, in whose buffer it lies
  std::size_t offset;    ///< bytes from the buffer's begin
  std::size_t bytes;
  Object* shape;  ///< a torch.Size; borrowed
  Object* dtype;  ///< borrowed
};

/// Copies bytes within the memory of the slots: the host's, or the GPU's. On a GPU it only enqueues the copy
/// on `stream`. Returns "" or what went wrong.
using CopyBytes =
    std::function<std::string(void* to, std::uintptr_t from, std::size_t bytes, std::uintptr_t stream)>;

/// Which order of the judge Python carries out at the moment. Each of the functions that give something to
/// ModuleCalls works in one of them only: the candidate can call them too, through ctypes.
enum class Phase {
  none,      ///< no order is under way: nothing is taken
  prepare,   ///< no code of the candidate has run yet
  load,      ///< the module is being made
  arrange,   ///< slots are being arranged
  observe,   ///< one slot is called from Python
  unguarded  ///< the default, until a candidate is made: no judge, and everything is taken
};

/// One thread. Whatever takes or drops objects must be called with the interpreter's lock held; `run` takes
/// it. What is taken in another phase than its own is ignored, and false is returned. What is taken gets
/// references of its own.
class ModuleCalls {
 public:
  /// `copy` may be replaced until the first order.
  explicit ModuleCalls(CopyBytes copy) : copy_(std::move(copy)) {}
  void copy_by(CopyBytes copy) { copy_ = std::move(copy); }
  void begin(Phase phase) { phase_ = phase; }

  /// Sets the job's outputs and the parts of torch. In the phase `prepare`.
  bool take_job(const TorchParts& parts, const ModuleOutput* outputs, std::size_t count);
  /// Sets the module, and the functions restore(state), called before each call of a slot that has a state,
  /// and learn(state), called once: after the module's first call with a state. In the phase `load`.
  bool take_model(Object* model, Object* restore, Object* learn);
  /// Sets the slots: a list of pairs (tuple of arguments, state or None). In the phase `arrange`. Returns
  /// false also if it is no such list.
  bool take_slots(Object* slots);
  /// Says where the slots' buffers lie: argument a of slot s at s * arguments + a. `pointers` must outlive
  /// the calls. For the runner alone: Python cannot reach it but in a test.
  void place(void* const* pointers, std::size_t arguments) {
    pointers_ = pointers;
    arguments_ = arguments;
  }
  Phase phase() const { return phase_; }

  /// Calls slots in order, up to the first that fails, and copies each one's results to its outputs. Slots
  /// that were not taken are not called, which is no failure. On a GPU copies are only enqueued. Returns 0,
  /// or 1 with `text`.
  int run(std::size_t first, std::size_t count, std::string& text);

 private:
  struct Output {
    std::size_t argument, offset, bytes;
    Reference shape, dtype;
  };
  struct Slot {
    Reference inputs, state;
  };

  bool call(const Slot& slot, void* const* buffers, std::string& text);
  bool take_results(Object* result, void* const* buffers, std::string& text);
  bool take_result(Object* result, std::size_t position, std::byte* to, Object* whole, std::string& text);
  Reference made_plain(Object* tensor) const;
  std::string words_of(Object* result, long position) const;

  CopyBytes copy_;
  Phase phase_ = Phase::unguarded;
  TorchParts parts_{};
  std::vector<Reference> held_;  // what parts_ refers to
  Reference model_, restore_, learn_;
  void* const* pointers_ = nullptr;
  std::size_t arguments_ = 0;
  std::vector<Output> outputs_;
  std::vector<Slot> slots_;
  bool learnt_ = false;
};

}  // namespace ridgeline::runner::python
