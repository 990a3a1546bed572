#include "torch_slim/from_python.h"

namespace torch_slim {
namespace {

/// Something that can stand for an integer without losing anything by it, or (`convert`) that has __int__.
Ref integer_of(PyObject* object, bool convert) {
  if (is_float(object) || (!convert && !is_long(object) && !PyIndex_Check(object))) return {};
  Ref index(PyNumber_Index(object));
  if (!index) PyErr_Clear();
  if (!index && convert && PyNumber_Check(object)) index = Ref(PyNumber_Long(object));
  if (!index) PyErr_Clear();
  return index;
}

}  // namespace

bool load_tensor(PyObject* object, at::Tensor& into) {
  if (!is_tensor(object)) return false;
  Py_IncRef(object);
  into = at::Tensor::owning(object);
  return true;
}

bool load_bool(PyObject* object, bool convert, bool& into) {
  if (object->ob_type == &PyBool_Type || (convert && object == Py_None))
    return into = PyObject_IsTrue(object) == 1, true;
  // Lists and texts are not taken for their emptiness.
  if (!convert || !PyNumber_Check(object) || is_text(object)) return false;
  const int truth = PyObject_IsTrue(object);
  if (truth < 0) PyErr_Clear();
  into = truth == 1;
  return truth >= 0;
}

bool load_integer(PyObject* object, bool convert, long long& into) {
  const Ref integer = integer_of(object, convert);
  if (!integer) return false;
  into = PyLong_AsLongLong(integer.get());
  if (into != -1 || !PyErr_Occurred()) return true;
  return PyErr_Clear(), false;
}

bool load_integer(PyObject* object, bool convert, unsigned long long& into) {
  const Ref integer = integer_of(object, convert);
  if (!integer) return false;
  into = PyLong_AsUnsignedLongLong(integer.get());
  if (into != ~0ull || !PyErr_Occurred()) return true;
  return PyErr_Clear(), false;
}

bool load_real(PyObject* object, bool convert, double& into) {
  if (!convert && !is_float(object)) return false;
  into = PyFloat_AsDouble(object);
  if (into != -1 || !PyErr_Occurred()) return true;
  PyErr_Clear();
  const Ref number(convert && PyNumber_Check(object) ? PyNumber_Float(object) : nullptr);
  if (!number) return PyErr_Clear(), false;
  into = PyFloat_AsDouble(number.get());
  return true;
}

Items::Items(PyObject* sequence) : sequence_(sequence) {
  if (!PySequence_Check(sequence) || is_text(sequence) || is_bytes(sequence)) return;
  count_ = PySequence_Size(sequence);
  if (count_ < 0) PyErr_Clear();
}

bool Items::next(Ref& item) {
  if (at_ >= count_) return false;
  item = Ref(PySequence_GetItem(sequence_, at_++));
  if (!item) {
    PyErr_Clear();
    count_ = -1;
  }
  return bool(item);
}

bool load_sizes(PyObject* object, bool convert, int64_t (&numbers)[64], c10::IntArrayRef& view) {
  if (!is_list_or_tuple(object)) return false;
  size_t count = 0;
  Items items(object);
  for (Ref item; items.next(item);) {
    long long value = 0;
    if (count == 64 || !load_integer(item.get(), convert, value)) return false;
    numbers[count++] = value;
  }
  view = {numbers, count};
  return items.valid();
}

}  // namespace torch_slim
