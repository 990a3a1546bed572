#include "torch_slim/scalar_type.h"

namespace c10 {

const char* toString(ScalarType type) {
  switch (type) {
#define TORCH_SLIM_NAME(t, name, python) \
  case ScalarType::name:                 \
    return #name;
    TORCH_SLIM_ELEMENTS(TORCH_SLIM_NAME)
#undef TORCH_SLIM_NAME
    case ScalarType::BFloat16:
      return "BFloat16";
    case ScalarType::ComplexHalf:
      return "ComplexHalf";
    case ScalarType::ComplexFloat:
      return "ComplexFloat";
    case ScalarType::ComplexDouble:
      return "ComplexDouble";
    case ScalarType::Float8_e5m2:
      return "Float8_e5m2";
    case ScalarType::Float8_e4m3fn:
      return "Float8_e4m3fn";
    case ScalarType::Undefined:
      return "Undefined";
    default:
      return "UNKNOWN_SCALAR";
  }
}

size_t elementSize(ScalarType type) {
  switch (type) {
    case ScalarType::Byte:
    case ScalarType::Char:
    case ScalarType::Bool:
    case ScalarType::Float8_e5m2:
    case ScalarType::Float8_e4m3fn:
      return 1;
    case ScalarType::Short:
    case ScalarType::Half:
    case ScalarType::BFloat16:
      return 2;
    case ScalarType::Int:
    case ScalarType::Float:
    case ScalarType::ComplexHalf:
      return 4;
    case ScalarType::ComplexDouble:
      return 16;
    default:
      return 8;
  }
}

}  // namespace c10

namespace torch_slim {

Text& operator<<(Text& out, c10::ScalarType type) {
  return out << c10::toString(type);
}
Text& operator<<(Text& out, caffe2::TypeMeta type) {
  switch (type.toScalarType()) {
    case c10::kFloat:
      return out << "float";
    case c10::kDouble:
      return out << "double";
    case c10::kInt:
      return out << "int";
    case c10::kLong:
      return out << "long";
    case c10::kShort:
      return out << "short";
    case c10::kBool:
      return out << "bool";
    case c10::kByte:
      return out << "unsigned char";
    case c10::kChar:
      return out << "signed char";
    case c10::kHalf:
      return out << "c10::Half";
    case c10::kBFloat16:
      return out << "c10::BFloat16";
    default:
      return out << c10::toString(type.toScalarType());
  }
}

PyObject* torch_module() {
  static PyObject* const module = checked(PyImport_ImportModule("torch"));
  return module;
}

namespace {

class Dtypes {
 public:
  static const Dtypes& get() {
    static const Dtypes all;
    return all;
  }
  PyObject* object(c10::ScalarType type) const {
    PyObject* const found = objects_[static_cast<int>(type)];
    if (!found) fail(text("no dtype of Python's for ", type));
    return found;
  }
  c10::ScalarType type(PyObject* object) const {
    for (int i = 0; i < kTypes; ++i)
      if (objects_[i] == object) return static_cast<c10::ScalarType>(i);
    return c10::ScalarType::Undefined;
  }

 private:
  static constexpr int kTypes = 46;
  Dtypes() {
#define TORCH_SLIM_READ(type, name, python) read(c10::ScalarType::name, python);
    TORCH_SLIM_ELEMENTS(TORCH_SLIM_READ)
#undef TORCH_SLIM_READ
    read(c10::ScalarType::BFloat16, "bfloat16");
    read(c10::ScalarType::ComplexHalf, "complex32");
    read(c10::ScalarType::ComplexFloat, "complex64");
    read(c10::ScalarType::ComplexDouble, "complex128");
    read(c10::ScalarType::Float8_e5m2, "float8_e5m2");
    read(c10::ScalarType::Float8_e4m3fn, "float8_e4m3fn");
  }
  void read(c10::ScalarType type, const char* name) {
    objects_[static_cast<int>(type)] = checked(PyObject_GetAttrString(torch_module(), name));
  }
  PyObject* objects_[kTypes] = {};
};

}  // namespace

PyObject* dtype_object(c10::ScalarType type) {
  return Dtypes::get().object(type);
}
c10::ScalarType type_of_dtype(PyObject* object) {
  return Dtypes::get().type(object);
}

}  // namespace torch_slim
