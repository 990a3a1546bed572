#include "torch_slim/tensor.h"

#include "torch_slim/runtime/tensor_facts.h"

namespace at {

using torch_slim::checked;
using torch_slim::Ref;
using torch_slim::text;

namespace {

bool true_object(PyObject* owned) {
  return PyObject_IsTrue(Ref(checked(owned)).get()) == 1;
}

}  // namespace

Tensor Tensor::owning(PyObject* object) {
  if (object == Py_None) return Py_DecRef(object), Tensor();
  Tensor made;
  made.facts_ = new torch_slim::TensorFacts(object);
  return made;
}

Tensor::Tensor(const Tensor& other) : facts_(other.facts_) {
  if (facts_) facts_->add_use();
}

Tensor& Tensor::operator=(const Tensor& other) & {
  return *this = Tensor(other);
}
Tensor& Tensor::operator=(Tensor&& other) & noexcept {
  std::swap(facts_, other.facts_);
  return *this;
}
Tensor& Tensor::operator=(const Tensor& values) && {
  return copy_(values), *this;
}
Tensor& Tensor::operator=(Tensor&& values) && {
  return copy_(values), *this;
}
Tensor& Tensor::operator=(const Scalar& value) && {
  return fill_(value), *this;
}

void Tensor::reset() {
  *this = Tensor();
}
void Tensor::drop() {
  if (facts_->drop_use()) delete facts_;
}

torch_slim::TensorFacts& Tensor::facts() const {
  if (!facts_) torch_slim::fail(text("tensor does not have a device"));
  return *facts_;
}

PyObject* Tensor::object() const {
  return facts_ ? facts_->object() : nullptr;
}

IntArrayRef Tensor::sizes() const {
  static constexpr int64_t kUndefined[] = {0};  // as the original's: one dimension of nothing
  return facts_ ? facts_->sizes() : IntArrayRef(kUndefined);
}
IntArrayRef Tensor::strides() const {
  static constexpr int64_t kUndefined[] = {1};
  return facts_ ? facts_->strides() : IntArrayRef(kUndefined);
}
int64_t Tensor::dim() const {
  return static_cast<int64_t>(sizes().size());
}
int64_t Tensor::size(int64_t i) const {
  return sizes()[wrapped(i)];
}
int64_t Tensor::stride(int64_t i) const {
  return strides()[wrapped(i)];
}
size_t Tensor::wrapped(int64_t i) const {
  const int64_t n = dim();
  if (n == 0) throw IndexError(text("Dimension specified as ", i, " but tensor has no dimensions"));
  if (i < -n || i >= n)
    throw IndexError(
        text("Dimension out of range (expected to be in range of [", -n, ", ", n - 1, "], but got ", i, ")"));
  return static_cast<size_t>(i < 0 ? i + n : i);
}
int64_t Tensor::numel() const {
  int64_t count = 1;
  for (const int64_t n : sizes()) count *= n;
  return count;
}

ScalarType Tensor::scalar_type() const {
  return facts_ ? facts_->type() : ScalarType::Undefined;
}
size_t Tensor::itemsize() const {
  return elementSize(scalar_type());
}
int64_t Tensor::element_size() const {
  return static_cast<int64_t>(itemsize());
}
size_t Tensor::nbytes() const {
  return static_cast<size_t>(numel()) * itemsize();
}
Device Tensor::device() const {
  return facts().device();
}
DeviceIndex Tensor::get_device() const {
  return device().index();
}
bool Tensor::is_cuda() const {
  return device().is_cuda();
}
bool Tensor::is_cpu() const {
  return device().is_cpu();
}
bool Tensor::is_floating_point() const {
  return isFloatingType(scalar_type());
}
TensorOptions Tensor::options() const {
  return TensorOptions().dtype(scalar_type()).device(device());
}
bool Tensor::requires_grad() const {
  return true_object(PyObject_GetAttrString(facts().object(), "requires_grad"));
}
bool Tensor::is_contiguous() const {
  return true_object(facts().called(TORCH_SLIM_PY("is_contiguous")).release());
}
bool Tensor::is_contiguous(MemoryFormat format) const {
  return format == MemoryFormat::Contiguous
             ? is_contiguous()
             : true_object(torch_slim::call(facts().object(), "is_contiguous", {},
                                            {{"memory_format", torch_slim::to_python(format)}}));
}

void* Tensor::data_ptr() const {
  return facts().data();
}
void* Tensor::data_of(ScalarType wanted) const {
  if (scalar_type() != wanted)
    torch_slim::fail(text("expected scalar type ", wanted, " but found ", scalar_type()));
  return facts().data();
}

Scalar Tensor::item() const {
  const Ref value(facts().called(TORCH_SLIM_PY("item")));
  if (torch_slim::is_float(value.get())) return Scalar(PyFloat_AsDouble(value.get()));
  if (value.get()->ob_type == &PyBool_Type) return Scalar(PyObject_IsTrue(value.get()) == 1);
  return Scalar(torch_slim::as_integer(value.get()));
}

Tensor Tensor::call(const char* name, std::initializer_list<PyObject*> arguments,
                    std::initializer_list<torch_slim::Keyword> keywords) const {
  Tensor made = owning(torch_slim::call(facts().object(), name, arguments, keywords));
  if (name[std::strlen(name) - 1] == '_') facts_->forget();
  return made;
}
const Tensor& Tensor::changed(const char* name, std::initializer_list<PyObject*> arguments) const {
  call(name, arguments);
  return *this;
}

}  // namespace at

namespace torch_slim {

bool is_tensor(PyObject* object) {
  static PyObject* const type = checked(PyObject_GetAttrString(torch_module(), "Tensor"));
  return reinterpret_cast<PyObject*>(object->ob_type) == type || PyObject_IsInstance(object, type) == 1;
}

Text& operator<<(Text& out, const at::Tensor& tensor) {
  const Ref words(checked(PyObject_Str(tensor.defined() ? tensor.object() : Py_None)));
  return out << PyUnicode_AsUTF8AndSize(words.get(), nullptr);
}

}  // namespace torch_slim
