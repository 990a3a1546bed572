#include "engine/worker/judge/arenas/exchange.hpp"

#include <ATen/ops/from_blob.h>

#include <algorithm>
#include <utility>

#include "engine/cuda/driver.hpp"
#include "engine/cuda/shared_memory.hpp"
#include "engine/worker/judge/arenas/cached_device_memory.hpp"
#include "engine/worker/judge/arenas/memory_file.hpp"

namespace ridgeline::judge {
namespace {

constexpr std::size_t kPlaceUnit = 512;      // bytes; the alignment of tensors, as kDeviceLayout says
constexpr std::size_t kOracleTakesMore = 4;  // times its arguments, for intermediates

class FileSlab final : public Slab {
 public:
  explicit FileSlab(std::size_t bytes) : file_(bytes) {}
  void* data() const override { return file_.data(); }
  int descriptor() const override { return file_.descriptor(); }
  std::size_t bytes() const override { return file_.bytes(); }

 private:
  MemoryFile file_;
};

class HostExchange final : public Exchange {
 public:
  at::Device device() const override { return at::kCPU; }
  std::shared_ptr<const Slab> make(std::size_t bytes) override { return std::make_shared<FileSlab>(bytes); }
  void settle(std::size_t) override {}
};

class DeviceSlab final : public Slab {
 public:
  DeviceSlab(std::size_t bytes, int device) : memory_(cuda::make_shared_memory(bytes, device)) {}
  /// Torch's operators on these tensors may still be running, and unmapping does not wait for them.
  ~DeviceSlab() override { cuda::driver().cuCtxSynchronize(); }
  void* data() const override { return reinterpret_cast<void*>(memory_.mapping.address()); }
  int descriptor() const override { return memory_.descriptor.get(); }
  std::size_t bytes() const override { return memory_.mapping.bytes(); }

 private:
  cuda::SharedMemory memory_;
};

class DeviceExchange final : public Exchange {
 public:
  explicit DeviceExchange(int device) : index_(device) {}

  at::Device device() const override { return {at::kCUDA, static_cast<c10::DeviceIndex>(index_)}; }
  std::shared_ptr<const Slab> make(std::size_t bytes) override {
    ensure_device_memory(index_, bytes);
    return std::make_shared<DeviceSlab>(bytes, index_);
  }
  void settle(std::size_t bytes) override {
    cuda::check(cuda::driver().cuCtxSynchronize(), "waiting before the oracle's turn");
    ensure_device_memory(index_, kOracleTakesMore * bytes);
  }

 private:
  int index_;
};

}  // namespace

std::shared_ptr<Exchange> host_exchange() {
  return std::make_shared<HostExchange>();
}

std::shared_ptr<Exchange> device_exchange(int device) {
  return std::make_shared<DeviceExchange>(device);
}

std::size_t PackedTensors::add(std::size_t bytes) {
  places_.push_back({0, end_, bytes});
  end_ += (bytes + kPlaceUnit - 1) / kPlaceUnit * kPlaceUnit;
  return places_.size() - 1;
}

void PackedTensors::allocate(Exchange& exchange) {
  device_ = exchange.device();
  slab_ = exchange.make(std::max<std::size_t>(end_, 1));
}

void PackedTensors::allocate_with(PackedTensors& later, Exchange& exchange) {
  device_ = later.device_ = exchange.device();
  slab_ = later.slab_ = exchange.make(std::max<std::size_t>({end_, later.end_, 1}));
}

at::Tensor PackedTensors::tensor(std::size_t number, at::ScalarType type,
                                 const std::vector<std::int64_t>& shape) const {
  auto* data = static_cast<std::byte*>(slab_->data()) + places_[number].offset;
  return at::from_blob(
      data, shape, [slab = slab_](void*) {}, at::TensorOptions().dtype(type).device(device_), device_);
}

oracle::TensorMemory PackedTensors::memory() const {
  oracle::TensorMemory memory{{slab_->descriptor()}, places_};
  if (!device_.is_cpu()) memory.device_bytes = {slab_->bytes()};
  return memory;
}

oracle::TensorMemory joined(const PackedTensors& first, const PackedTensors& second) {
  auto both = first.memory(), more = second.memory();
  if (both.files == more.files) {
    both.places.insert(both.places.end(), more.places.begin(), more.places.end());
    return both;
  }
  const auto files = both.files.size();
  both.files.insert(both.files.end(), more.files.begin(), more.files.end());
  both.device_bytes.insert(both.device_bytes.end(), more.device_bytes.begin(), more.device_bytes.end());
  for (auto place : more.places) {
    place.file += files;
    both.places.push_back(place);
  }
  return both;
}

}  // namespace ridgeline::judge
