#include "torch_slim/overloads.h"

#include <stdexcept>

namespace torch_slim {
namespace {

constexpr const char* kCapsule = "torch_slim.function";

/// Puts the call's arguments into the function's slots (borrowed); false if they do not fit its parameters.
bool place(const Function& f, PyObject* const* arguments, Py_ssize_t given, PyObject* names,
           PyObject** slots) {
  if (given > f.parameters) return false;
  for (int i = 0; i < f.parameters; ++i) slots[i] = i < given ? arguments[i] : nullptr;
  const Py_ssize_t named = names ? PyTuple_Size(names) : 0;
  for (Py_ssize_t k = 0; k < named; ++k) {
    const char* const name = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(names, k), nullptr);
    int at = -1;
    for (int i = 0; i < f.named; ++i)
      if (std::strcmp(f.names[i], name) == 0) at = i;
    if (at < 0 || slots[at]) return false;
    slots[at] = arguments[given + k];
  }
  for (int i = 0; i < f.parameters; ++i)
    if (!slots[i] && !(slots[i] = i < f.named ? f.defaults[i] : nullptr)) return false;
  return true;
}

void repr(Text& out, PyObject* object) {
  const Ref words(PyObject_Repr(object));
  const char* const utf8 = words ? PyUnicode_AsUTF8AndSize(words.get(), nullptr) : nullptr;
  out << (utf8 ? utf8 : "<repr raised Error>");
  PyErr_Clear();
}

void sign(Text& out, const Function& f) {
  out << '(';
  for (int i = 0; i < f.parameters; ++i) {
    if (i) out << ", ";
    i < f.named ? out << f.names[i] : out << "arg" << i;
    out << ": ";
    f.name_type(out, i);
    if (i < f.named && f.defaults[i]) repr(out << " = ", f.defaults[i]);
  }
  out << ") -> ";
  f.name_type(out, -1);
}

void raise_mismatch(const Function& first, PyObject* const* arguments, Py_ssize_t given, PyObject* names) {
  Text words =
      text(first.name, "(): incompatible function arguments. The following argument types are supported:\n");
  int number = 0;
  for (const Function* f = &first; f; f = f->next) {
    words << "    " << ++number << ". ";
    sign(words, *f);
    words << '\n';
  }
  words << "\nInvoked with: ";
  for (Py_ssize_t i = 0; i < given; ++i) repr(i ? words << ", " : words, arguments[i]);
  const Py_ssize_t named = names ? PyTuple_Size(names) : 0;
  if (named) words << (given ? "; kwargs: " : "kwargs: ");
  for (Py_ssize_t k = 0; k < named; ++k) {
    if (k) words << ", ";
    words << PyUnicode_AsUTF8AndSize(PyTuple_GetItem(names, k), nullptr) << '=';
    repr(words, arguments[given + k]);
  }
  PyErr_SetString(PyExc_TypeError, words.c_str());
}

/// What Python calls; `self` is a capsule with the first overload.
PyObject* dispatch(PyObject* self, PyObject* const* arguments, Py_ssize_t given, PyObject* names) {
  const auto* const first = static_cast<const Function*>(PyCapsule_GetPointer(self, kCapsule));
  PyObject* slots[kMaxParameters];
  // Exact types first where there is a choice, as pybind11 does.
  for (int pass = first->next ? 0 : 1; pass < 2; ++pass)
    for (const Function* f = first; f; f = f->next) {
      if (!place(*f, arguments, given, names, slots)) continue;
      PyObject* const result = f->call(*f, slots, pass == 1);
      if (result != kMismatch()) return result;
    }
  raise_mismatch(*first, arguments, given, names);
  return nullptr;
}

const char* documented(const Function& first) {
  Text words;
  const bool several = first.next != nullptr;
  if (several) words << first.name << "(*args, **kwargs)\nOverloaded function.\n\n";
  int number = 0;
  for (const Function* f = &first; f; f = f->next) {
    if (several) words << ++number << ". ";
    sign(words << f->name, *f);
    words << '\n';
    if (f->doc) words << '\n' << f->doc << '\n';
    if (f->next) words << '\n';
  }
  return strdup(words.c_str());  // kept as long as the module: for good
}

}  // namespace

/// Exports the function, or adds it behind the others of its name.
void add_overload(PyObject* module, Function* made) {
  static Function* all = nullptr;  // of this module, newest first, one for each name
  for (Function* f = all; f; f = f->other)
    if (std::strcmp(f->name, made->name) == 0) {
      Function* last = f;
      while (last->next) last = last->next;
      last->next = made;
      f->method.ml_doc = documented(*f);
      return;
    }
  made->other = all;
  all = made;
  made->method = {made->name, reinterpret_cast<PyCFunction>(reinterpret_cast<void*>(dispatch)),
                  kFastCallWithKeywords, documented(*made)};
  const Ref capsule(checked(PyCapsule_New(made, kCapsule, nullptr)));
  const Ref name(checked(PyObject_GetAttrString(module, "__name__")));
  const Ref function(checked(PyCFunction_NewEx(&made->method, capsule.get(), name.get())));
  if (PyObject_SetAttrString(module, made->name, function.get()) != 0) throw_raised();
}

PyObject* make_module(const char* name, void (*fill)(PyObject*)) {
  static PyModuleDef definition;
  definition.m_base.ob_base.ob_refcnt = 1;
  definition.m_name = name;
  definition.m_size = -1;
  Ref module(PyModule_Create2(&definition, kStableAbi));
  if (!module) return nullptr;
  try {
    fill(module.get());
  } catch (const c10::Error& error) {
    return error.restore(), nullptr;
  } catch (const std::exception& error) {
    return PyErr_SetString(PyExc_ImportError, error.what()), nullptr;
  }
  return module.release();
}

}  // namespace torch_slim
