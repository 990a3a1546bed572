// c10::ArrayRef: a view of elements that somebody else owns.
#pragma once

#include <initializer_list>
#include <type_traits>
#include <utility>

#include "torch_slim/error.h"

namespace at {
class Tensor;
}
namespace at {
class Tensor;
}  // namespace at

namespace c10 {

template <class T>
class ArrayRef {
 public:
  using value_type = T;
  using iterator = const T*;

  constexpr ArrayRef() = default;
  constexpr ArrayRef(const T* data, size_t size) : data_(data), size_(size) {}
  constexpr ArrayRef(const T* first, const T* last) : data_(first), size_(last - first) {}
  constexpr ArrayRef(const T& one) : data_(&one), size_(1) {}
  // The view lasts as long as the full expression in which the list stands, as the original's does.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Winit-list-lifetime"
  constexpr ArrayRef(const std::initializer_list<T>& list)
      : data_(list.begin() == list.end() ? nullptr : list.begin()), size_(list.size()) {}
#pragma GCC diagnostic pop
  template <size_t N>
  constexpr ArrayRef(const T (&array)[N]) : data_(array), size_(N) {}
  /// Of a std::vector, a std::array or anything like them.
  template <class Container,
            class = std::enable_if_t<std::is_same_v<
                std::remove_const_t<std::remove_pointer_t<decltype(std::declval<Container&>().data())>>, T>>>
  constexpr ArrayRef(const Container& container) : data_(container.data()), size_(container.size()) {}

  constexpr iterator begin() const { return data_; }
  constexpr iterator end() const { return data_ + size_; }
  constexpr const T* data() const { return data_; }
  constexpr size_t size() const { return size_; }
  constexpr bool empty() const { return size_ == 0; }
  constexpr const T& operator[](size_t i) const { return data_[i]; }
  const T& at(size_t i) const {
    if (i >= size_)
      torch_slim::fail(torch_slim::text("ArrayRef: invalid index Index = ", i, "; Length = ", size_));
    return data_[i];
  }
  const T& front() const { return at(0); }
  const T& back() const { return at(size_ - 1); }
  ArrayRef slice(size_t from, size_t count) const { return {data_ + from, count}; }
  ArrayRef slice(size_t from) const { return slice(from, size_ - from); }
  bool equals(ArrayRef other) const {
    if (size_ != other.size_) return false;
    for (size_t i = 0; i < size_; ++i)
      if (!(data_[i] == other.data_[i])) return false;
    return true;
  }
#ifdef _GLIBCXX_VECTOR
  std::vector<T> vec() const { return std::vector<T>(begin(), end()); }
#endif

 private:
  const T* data_ = nullptr;
  size_t size_ = 0;
};

template <class T>
bool operator==(ArrayRef<T> a, ArrayRef<T> b) {
  return a.equals(b);
}
template <class T>
bool operator!=(ArrayRef<T> a, ArrayRef<T> b) {
  return !a.equals(b);
}
#ifdef _GLIBCXX_VECTOR
template <class T>
bool operator==(ArrayRef<T> a, const std::vector<T>& b) {
  return a.equals(ArrayRef<T>(b));
}
template <class T>
bool operator!=(ArrayRef<T> a, const std::vector<T>& b) {
  return !a.equals(ArrayRef<T>(b));
}
#endif

using IntArrayRef = ArrayRef<int64_t>;

}  // namespace c10

namespace torch_slim {
template <class T>
Text& operator<<(Text& out, c10::ArrayRef<T> list) {
  out << '[';
  for (size_t i = 0; i < list.size(); ++i) (i ? out << ", " : out) << list[i];
  return out << ']';
}
}  // namespace torch_slim
