// Memory through which tensors go between the judge and the oracle: files on a CPU, allocations on a GPU.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/oracle/oracle_process.hpp"

namespace ridgeline::judge {

/// One piece of memory that both map, for as long as the object lives.
class Slab {
 public:
  Slab() = default;
  Slab(const Slab&) = delete;  // others hold its address
  Slab& operator=(const Slab&) = delete;
  virtual ~Slab() = default;

  virtual void* data() const = 0;
  virtual int descriptor() const = 0;
  virtual std::size_t bytes() const = 0;
};

/// Where the oracle computes, as the judge sees it. One thread.
class Exchange {
 public:
  virtual ~Exchange() = default;

  virtual at::Device device() const = 0;
  /// Throws OutOfMemory on a device, MachineCannot on a CPU, where there is not that much.
  virtual std::shared_ptr<const Slab> make(std::size_t bytes) = 0;
  /// Before the oracle is asked something that takes `bytes` there: what the judge asked of the device is
  /// done, and what it keeps there for later is given back where the oracle may want the room.
  virtual void settle(std::size_t bytes) = 0;
};

std::shared_ptr<Exchange> host_exchange();
/// LibTorch's CUDA half must be loaded.
std::shared_ptr<Exchange> device_exchange(int device);

/// Tensors one after another in one slab.
class Packed {
 public:
  /// Adds a tensor of these bytes; returns its number.
  std::size_t add(std::size_t bytes);
  /// To be called once, after the last `add`.
  void allocate(Exchange& exchange);
  std::size_t bytes() const { return end_; }
  /// The tensor of that number, over the slab, which it keeps.
  at::Tensor tensor(std::size_t number, at::ScalarType type, const std::vector<std::int64_t>& shape) const;
  oracle::TensorMemory memory() const;

 private:
  at::Device device_ = at::kCPU;
  std::vector<oracle::Place> places_;
  std::uint64_t end_ = 0;
  std::shared_ptr<const Slab> slab_;
};

/// Both, the places of `first` before those of `second`.
oracle::TensorMemory joined(const Packed& first, const Packed& second);

}  // namespace ridgeline::judge
