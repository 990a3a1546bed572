// Views of a tensor's elements by index, for host code and (packed: sizes and strides by value) for kernels.
#pragma once

#include "torch_slim/tensor.h"

#ifdef __CUDACC__
#define TORCH_SLIM_RESTRICT __restrict__
#else
#define TORCH_SLIM_RESTRICT __restrict
#endif

namespace at {

template <class T>
struct DefaultPtrTraits {
  using PtrType = T*;
};
template <class T>
struct RestrictPtrTraits {
  using PtrType = T* TORCH_SLIM_RESTRICT;
};

/// One row of a view: sizes and strides belong to the view. N >= 1.
template <class T, size_t N, class Pointer, class Index>
class AccessorRow {
 public:
  C10_HOST_DEVICE AccessorRow(Pointer data, const Index* sizes, const Index* strides)
      : data_(data), sizes_(sizes), strides_(strides) {}
  C10_HOST_DEVICE decltype(auto) operator[](Index i) const {
    if constexpr (N == 1)
      return static_cast<T&>(data_[strides_[0] * i]);
    else
      return AccessorRow<T, N - 1, Pointer, Index>(data_ + strides_[0] * i, sizes_ + 1, strides_ + 1);
  }
  C10_HOST_DEVICE Index size(Index i) const { return sizes_[i]; }
  C10_HOST_DEVICE Index stride(Index i) const { return strides_[i]; }
  C10_HOST_DEVICE Pointer data() const { return data_; }

 private:
  Pointer data_;
  const Index *sizes_, *strides_;
};

template <class T, size_t N>
class TensorAccessor : public AccessorRow<T, N, T*, int64_t> {
 public:
  using AccessorRow<T, N, T*, int64_t>::AccessorRow;
};

template <class T, size_t N, template <class> class Traits = DefaultPtrTraits, class Index = int64_t>
class GenericPackedTensorAccessor {
 public:
  using PtrType = typename Traits<T>::PtrType;
  GenericPackedTensorAccessor(PtrType data, IntArrayRef sizes, IntArrayRef strides) : data_(data) {
    for (size_t i = 0; i < N; ++i)
      sizes_[i] = static_cast<Index>(sizes[i]), strides_[i] = static_cast<Index>(strides[i]);
  }
  C10_HOST_DEVICE decltype(auto) operator[](Index i) const {
    return AccessorRow<T, N, PtrType, Index>(data_, sizes_, strides_)[i];
  }
  C10_HOST_DEVICE Index size(Index i) const { return sizes_[i]; }
  C10_HOST_DEVICE Index stride(Index i) const { return strides_[i]; }
  C10_HOST_DEVICE PtrType data() const { return data_; }

 private:
  PtrType data_;
  Index sizes_[N], strides_[N];
};
template <class T, size_t N, template <class> class Traits = DefaultPtrTraits>
using PackedTensorAccessor32 = GenericPackedTensorAccessor<T, N, Traits, int32_t>;
template <class T, size_t N, template <class> class Traits = DefaultPtrTraits>
using PackedTensorAccessor64 = GenericPackedTensorAccessor<T, N, Traits, int64_t>;

template <size_t N>
void expect_dims(const Tensor& tensor) {
  TORCH_CHECK(tensor.dim() == N, "TensorAccessor expected ", N, " dims but tensor has ", tensor.dim());
}
template <class T, size_t N>
TensorAccessor<T, N> Tensor::accessor() const& {
  expect_dims<N>(*this);
  return {data_ptr<T>(), sizes().data(), strides().data()};
}
template <class T, size_t N, template <class> class Traits>
GenericPackedTensorAccessor<T, N, Traits, int32_t> Tensor::packed_accessor32() const& {
  TORCH_CHECK(numel() <= INT32_MAX,
              "numel needs to be smaller than int32_t max; otherwise, please use packed_accessor64");
  expect_dims<N>(*this);
  return {data_ptr<T>(), sizes(), strides()};
}
template <class T, size_t N, template <class> class Traits>
GenericPackedTensorAccessor<T, N, Traits, int64_t> Tensor::packed_accessor64() const& {
  expect_dims<N>(*this);
  return {data_ptr<T>(), sizes(), strides()};
}

}  // namespace at
