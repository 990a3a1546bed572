// Provides memory through which tensors pass between judge and oracle: files on a CPU, allocations on a GPU.
#pragma once

#include <ATen/core/Tensor.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "engine/oracle/oracle_process.hpp"

namespace ridgeline::judge {

/// A piece of memory that both processes map, for as long as the object lives.
class Slab {
 public:
  Slab() = default;
  Slab(const Slab&) = delete;  // others hold its address
  Slab& operator=(const Slab&) = delete;
  virtual ~Slab() = default;

  virtual void* data() const = 0;
  /// Owned by the slab.
  virtual int descriptor() const = 0;
  virtual std::size_t bytes() const = 0;
};

/// The memory in which the oracle computes, as the judge sees it. One thread.
class Exchange {
 public:
  virtual ~Exchange() = default;

  virtual at::Device device() const = 0;
  /// Allocates a slab. Throws OutOfMemory on a device, MachineCannot on a CPU, if there is too little
  /// memory.
  virtual std::shared_ptr<const Slab> make(std::size_t bytes) = 0;
  /// Prepares for a request to the oracle that takes `bytes` there: waits for the judge's own work on the
  /// device, and returns cached memory that the oracle may need.
  virtual void settle(std::size_t bytes) = 0;
};

/// The exchange for an oracle on the CPU.
std::shared_ptr<Exchange> host_exchange();
/// The exchange for an oracle on a GPU. LibTorch's CUDA half must be loaded.
std::shared_ptr<Exchange> device_exchange(int device);

/// Tensors packed one after another into a slab.
class PackedTensors {
 public:
  /// Adds a tensor of `bytes` bytes; returns its number.
  std::size_t add(std::size_t bytes);
  /// Allocates the slab. Call it once, after the last `add`.
  void allocate(Exchange& exchange);
  /// Allocates one slab for these tensors and `later`, whose places begin where these begin: `later` is
  /// written when these are no longer wanted.
  void allocate_with(PackedTensors& later, Exchange& exchange);
  /// The bytes of the slab, which other tensors may share.
  std::size_t slab_bytes() const { return slab_->bytes(); }
  std::size_t bytes() const { return end_; }
  /// Returns tensor `number` as a view of the slab, which it keeps alive.
  at::Tensor tensor(std::size_t number, at::ScalarType type, const std::vector<std::int64_t>& shape) const;
  /// Returns the slab and the places in it, as the oracle's requests name them.
  oracle::TensorMemory memory() const;

 private:
  at::Device device_ = at::kCPU;
  std::vector<oracle::TensorPlace> places_;
  std::uint64_t end_ = 0;
  std::shared_ptr<const Slab> slab_;
};

/// Joins two slabs, which may be the same; the places of `first` come before those of `second`.
oracle::TensorMemory joined(const PackedTensors& first, const PackedTensors& second);

}  // namespace ridgeline::judge
