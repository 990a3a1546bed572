#include "engine/worker/runner/python/module_calls.hpp"

#include <algorithm>

namespace ridgeline::runner::python {
namespace {

constexpr const char* kNoWords = "the module raised, and what it raised cannot be told";

/// Calls with one argument. Null: it raised.
Reference called(Object* callable, Object* argument) {
  return Reference(
      interpreter().PyObject_CallFunctionObjArgs(callable, argument, static_cast<Object*>(nullptr)));
}

Reference called(Object* callable, Object* first, Object* second) {
  return Reference(
      interpreter().PyObject_CallFunctionObjArgs(callable, first, second, static_cast<Object*>(nullptr)));
}

/// The text of a str. Empty if it is none.
std::string text_of(Object* said) {
  std::ptrdiff_t bytes = 0;
  const char* words = said == nullptr ? nullptr : interpreter().PyUnicode_AsUTF8AndSize(said, &bytes);
  if (words == nullptr) interpreter().PyErr_Clear();
  return words == nullptr ? std::string() : std::string(words, static_cast<std::size_t>(bytes));
}

/// Takes the exception that was raised, and has `error_text` put it into words.
std::string raised(Object* error_text) {
  const auto& api = interpreter();
  Object *type = nullptr, *value = nullptr, *traceback = nullptr;
  api.PyErr_Fetch(&type, &value, &traceback);
  if (type == nullptr) return kNoWords;
  api.PyErr_NormalizeException(&type, &value, &traceback);
  const Reference owned_type(type), owned_value(value), owned_traceback(traceback);
  if (value == nullptr) return kNoWords;
  if (traceback != nullptr) api.PyException_SetTraceback(value, traceback);
  const auto said = called(error_text, value);
  if (!said) api.PyErr_Clear();
  auto text = text_of(said.get());
  return text.empty() ? kNoWords : text;
}

}  // namespace

bool ModuleCalls::take_job(const TorchParts& parts, const ModuleOutput* outputs, std::size_t count) {
  if (phase_ != Phase::prepare && phase_ != Phase::unguarded) return false;
  slots_.clear();
  outputs_.clear();
  held_.clear();
  parts_ = parts;
  for (Object* each : {parts.tensor_type, parts.shape_of,       parts.dtype_of,     parts.layout_of,
                       parts.is_here,     parts.strided,        parts.yes,          parts.no,
                       parts.to,          parts.device,         parts.resolve_conj, parts.resolve_neg,
                       parts.contiguous,  parts.address_of,     parts.tuple_type,   parts.list_type,
                       parts.set_grad,    parts.current_stream, parts.device_index, parts.refusal,
                       parts.error_text})
    held_.push_back(Reference::to(each));
  for (std::size_t i = 0; i < count; ++i)
    outputs_.push_back({outputs[i].argument, outputs[i].offset, outputs[i].bytes,
                        Reference::to(outputs[i].shape), Reference::to(outputs[i].dtype)});
  return true;
}

bool ModuleCalls::take_model(Object* model, Object* restore, Object* learn) {
  if (phase_ != Phase::load && phase_ != Phase::unguarded) return false;
  slots_.clear();
  learnt_ = false;
  model_ = Reference::to(model);
  restore_ = Reference::to(restore);
  learn_ = Reference::to(learn);
  return true;
}

bool ModuleCalls::take_slots(Object* slots) {
  if (phase_ != Phase::arrange && phase_ != Phase::unguarded) return false;
  const auto& api = interpreter();
  slots_.clear();
  const auto count = api.PySequence_Size(slots);
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    const Reference pair(api.PySequence_GetItem(slots, i));
    if (!pair || api.PySequence_Size(pair.get()) != 2) break;
    Slot slot{Reference(api.PySequence_GetItem(pair.get(), 0)),
              Reference(api.PySequence_GetItem(pair.get(), 1))};
    if (api.PyObject_IsInstance(slot.inputs.get(), parts_.tuple_type) != 1) break;
    slots_.push_back(std::move(slot));
  }
  if (count >= 0 && slots_.size() == static_cast<std::size_t>(count)) return true;
  api.PyErr_Clear();
  slots_.clear();
  return false;
}

int ModuleCalls::run(std::size_t first, std::size_t count, std::string& text) {
  const InterpreterLock lock;
  if (!model_) return 0;  // an empty batch before the load, which takes the lock as any other
  called(parts_.set_grad, parts_.no);
  const std::size_t end = std::min(first + count, slots_.size());
  for (std::size_t slot = first; slot < end; ++slot)
    if (!call(slots_[slot], pointers_ + slot * arguments_, text)) return 1;
  return 0;
}

bool ModuleCalls::call(const Slot& slot, void* const* buffers, std::string& text) {
  const auto& api = interpreter();
  const bool has_state = api.PyObject_IsInstance(slot.state.get(), parts_.tuple_type) == 1;
  if (has_state && !called(restore_.get(), slot.state.get())) {
    text = raised(parts_.error_text);
    return false;
  }
  const Reference result(api.PyObject_Call(model_.get(), slot.inputs.get(), nullptr));
  if (!result) {
    text = raised(parts_.error_text);
    return false;
  }
  if (has_state && !learnt_) {
    learnt_ = true;
    if (!called(learn_.get(), slot.state.get())) api.PyErr_Clear();
  }
  called(parts_.set_grad, parts_.no);  // forward may have left it on, and what follows would be recorded
  if (take_results(result.get(), buffers, text)) return true;
  if (text.empty()) text = raised(parts_.error_text);
  return false;
}

/// False: `text` says what is wrong with the results, or an exception is raised.
bool ModuleCalls::take_results(Object* result, void* const* buffers, std::string& text) {
  const auto& api = interpreter();
  const auto place_of = [&](const Output& output) {
    return static_cast<std::byte*>(buffers[output.argument]) + output.offset;
  };
  const bool several = api.PyObject_IsInstance(result, parts_.tuple_type) == 1 ||
                       api.PyObject_IsInstance(result, parts_.list_type) == 1;
  if (!several && outputs_.size() == 1) return take_result(result, 0, place_of(outputs_[0]), result, text);
  if (!several || api.PySequence_Size(result) != static_cast<std::ptrdiff_t>(outputs_.size())) {
    text = words_of(result, -1);
    return false;
  }
  for (std::size_t i = 0; i < outputs_.size(); ++i) {
    const Reference one(api.PySequence_GetItem(result, static_cast<std::ptrdiff_t>(i)));
    if (!one || !take_result(one.get(), i, place_of(outputs_[i]), result, text)) return false;
  }
  return true;
}

bool ModuleCalls::take_result(Object* result, std::size_t position, std::byte* to, Object* whole,
                              std::string& text) {
  const auto& api = interpreter();
  const auto& output = outputs_[position];
  const auto is = [&](Object* getter, Object* wanted) { return called(getter, result).get() == wanted; };
  const auto shape_is = [&] {
    const auto shape = called(parts_.shape_of, result);
    return shape && api.PyObject_RichCompareBool(shape.get(), output.shape.get(), kEqual) == 1;
  };
  const auto refused = [&] {
    api.PyErr_Clear();
    text = words_of(whole, static_cast<long>(position));
    return false;
  };
  // Nothing is asked of what is no plain tensor: a subclass computes when it is asked.
  if (Reference(api.PyObject_Type(result)).get() != parts_.tensor_type) return refused();
  if (!shape_is() || !is(parts_.dtype_of, output.dtype.get()) || !is(parts_.layout_of, parts_.strided))
    return refused();
  if (output.bytes == 0) return true;
  const auto plain = made_plain(result);
  if (!plain) return false;
  const auto address = called(parts_.address_of, plain.get());
  if (!address) return false;
  const auto from = static_cast<std::uintptr_t>(api.PyLong_AsUnsignedLongLong(address.get()));
  const auto begin = reinterpret_cast<std::uintptr_t>(to);
  if (from < begin + output.bytes && begin < from + output.bytes) return refused();
  std::uintptr_t stream = 0;
  if (parts_.current_stream != nullptr) {
    const auto handle = called(parts_.current_stream, parts_.device_index);
    if (!handle) return false;
    stream = static_cast<std::uintptr_t>(api.PyLong_AsUnsignedLongLong(handle.get()));
  }
  text = copy_(to, from, output.bytes, stream);
  return text.empty();
}

/// A tensor of the same values whose elements lie one after another on the judge's device. Null: it raised.
Reference ModuleCalls::made_plain(Object* tensor) const {
  auto plain = Reference::to(tensor);
  if (called(parts_.is_here, tensor).get() != parts_.yes) plain = called(parts_.to, tensor, parts_.device);
  // A conjugate or a negative may be a bit beside elements that nobody changed.
  for (Object* step : {parts_.resolve_conj, parts_.resolve_neg, parts_.contiguous})
    if (plain) plain = called(step, plain.get());
  return plain;
}

/// Why a result is refused; `position` -1: there are too many or too few.
std::string ModuleCalls::words_of(Object* result, long position) const {
  const Reference number(interpreter().PyLong_FromLong(position));
  const auto said = called(parts_.refusal, result, number.get());
  if (!said) interpreter().PyErr_Clear();
  auto text = text_of(said.get());
  return text.empty() ? "forward returned what the task does not ask for" : text;
}

}  // namespace ridgeline::runner::python
