#include <sys/mman.h>
#include <sys/stat.h>

#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "engine/cuda/driver.hpp"
#include "engine/cuda/sealing.hpp"
#include "engine/cuda/shared_memory.hpp"
#include "engine/worker/runner/input_unsealer.hpp"
#include "engine/worker/runner/sealed_exchange.hpp"

namespace ridgeline::runner {
namespace {

/// The exchange, in memory that the device reads and writes too.
class MappedExchange {
 public:
  explicit MappedExchange(FileDescriptor file) {
    struct stat facts{};
    if (::fstat(file.get(), &facts) != 0 || static_cast<std::size_t>(facts.st_size) < sizeof(SealedExchange))
      throw std::runtime_error("the exchange of keys is too small");
    void* memory = ::mmap(nullptr, sizeof(SealedExchange), PROT_READ | PROT_WRITE, MAP_SHARED, file.get(), 0);
    if (memory == MAP_FAILED) throw std::runtime_error("the exchange of keys cannot be mapped");
    host_ = static_cast<SealedExchange*>(memory);
    cuda::check(
        cuda::driver().cuMemHostRegister(memory, sizeof(SealedExchange), CU_MEMHOSTREGISTER_DEVICEMAP),
        "letting the device reach the exchange of keys");
    cuda::check(cuda::driver().cuMemHostGetDevicePointer(&device_, memory, 0),
                "asking where the exchange of keys lies");
  }
  // It stays mapped until the process ends, as the device may still poll it.

  const SealedExchange& host() const { return *host_; }
  cuda::KeyPlaces keys() const {
    return {.published = device_ + offsetof(SealedExchange, published),
            .keys = device_ + offsetof(SealedExchange, keys),
            .missing = device_ + offsetof(SealedExchange, missing_key)};
  }
  CUdeviceptr committed() const { return device_ + offsetof(SealedExchange, committed); }
  CUdeviceptr digests() const { return device_ + offsetof(SealedExchange, digests); }

 private:
  SealedExchange* host_ = nullptr;
  CUdeviceptr device_ = 0;
};

class CudaInputUnsealer final : public InputUnsealer {
 public:
  explicit CudaInputUnsealer(int device) : device_(device) {}

  void prepare(FileDescriptor exchange, FileDescriptor memory, std::uint64_t memory_bytes,
               std::uint64_t evicted_bytes) override {
    exchange_.emplace(std::move(exchange));
    const auto& given = exchange_->host();
    if (given.cubin_bytes > kMostCubin || evicted_bytes > memory_bytes)
      throw std::runtime_error("the kernels or the memory have no such size");
    memory_ = cuda::import_memory(memory.get(), memory_bytes, device_, 0);
    evicted_bytes_ = evicted_bytes;
    sealing_.emplace(std::span(given.cubin.data(), given.cubin_bytes), device_, nullptr);
  }

  void begin(std::span<void* const> pointers, std::size_t count) override {
    if (!sealing_) throw std::runtime_error("nothing was prepared to seal inputs");
    pieces_.clear();
    calls_.clear();
    const auto& given = exchange_->host();
    const std::size_t arguments = given.arguments;
    if (arguments > kMaxArguments || count > kMostSealedCalls || pointers.size() < count * arguments)
      throw std::runtime_error("no such arguments or calls");
    for (std::size_t call = 0; call < count; ++call) {
      const auto own = pointers.subspan(call * arguments, arguments);
      calls_.push_back(
          {.sealed = add(own, &SealedArgument::sealed), .digested = add(own, &SealedArgument::digested)});
    }
    sealing_->upload(pieces_);
  }

  void unseal(std::size_t call) override {
    sealing_->await_key(exchange_->keys(), call);
    sealing_->toggle(calls_.at(call).sealed.first, calls_[call].sealed.count);
    if (exchange_->host().empties_cache != 0) sealing_->evict(memory_.address(), evicted_bytes_);
  }

  void commit(std::size_t call) override {
    const auto& of_call = calls_.at(call).digested;
    sealing_->digest(of_call.first, of_call.count, exchange_->digests(), exchange_->committed(), call);
  }

  std::string missing_key() const override {
    const std::uint64_t call = exchange_ ? exchange_->host().missing_key : 0;
    if (call == 0) return {};
    return "no key came for sealed call " + std::to_string(call) + " of the batch within " +
           std::to_string(cuda::longest_key_wait / 1'000'000) + " ms";
  }

 private:
  struct Range {
    std::size_t first = 0, count = 0;  // of pieces_
  };
  struct Call {
    Range sealed, digested;
  };

  /// Adds the arguments of one call that `use` names.
  Range add(std::span<void* const> pointers, std::uint32_t SealedArgument::* use) {
    Range range{pieces_.size(), 0};
    for (std::size_t a = 0; a < pointers.size(); ++a) {
      const auto argument = exchange_->host().argument[a];
      if (argument.*use == 0) continue;
      pieces_.push_back({reinterpret_cast<CUdeviceptr>(pointers[a]), argument.bytes});
      ++range.count;
    }
    return range;
  }

  int device_;
  std::optional<MappedExchange> exchange_;
  cuda::Mapping memory_;
  std::uint64_t evicted_bytes_ = 0;
  std::optional<cuda::Sealing> sealing_;
  std::vector<cuda::DeviceRange> pieces_;
  std::vector<Call> calls_;
};

}  // namespace

std::unique_ptr<InputUnsealer> make_cuda_input_unsealer(int device) {
  return std::make_unique<CudaInputUnsealer>(device);
}

}  // namespace ridgeline::runner
