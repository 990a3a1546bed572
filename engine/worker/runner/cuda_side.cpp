#include <unistd.h>

#include <array>
#include <vector>

#include "engine/core/error.hpp"
#include "engine/cuda/device.hpp"
#include "engine/cuda/driver.hpp"
#include "engine/cuda/shared_memory.hpp"
#include "engine/worker/runner/side.hpp"
#include "engine/worker/runner/wire.hpp"

namespace ridgeline::runner {
namespace {

constexpr std::size_t kGuard = std::size_t{64}
                               << 20;  // bytes of addresses that trap, on both sides of each argument

class CudaSide final : public Side {
 public:
  explicit CudaSide(int index) : context_(index) {
    for (auto& event : events_)
      cuda::check(cuda::driver().cuEventCreate(&event, CU_EVENT_DEFAULT), "making an event");
    cuda::check(cuda::driver().cuEventCreate(&separation_, CU_EVENT_DISABLE_TIMING), "making an event");
  }

  bool map(std::size_t place, std::span<int> descriptors, std::span<const std::uint64_t> bytes) override {
    use(place);
    used_->clear();
    bool good = true;
    for (std::size_t i = 0; i < descriptors.size(); ++i) {
      try {
        used_->push_back(cuda::import_memory(descriptors[i], bytes[i], context_.index(), kGuard));
      } catch (const Error&) {
        good = false;
      }
      ::close(descriptors[i]);
    }
    return good;
  }
  void use(std::size_t place) override { used_ = &mapped_.at(place); }
  void unmap_all() override {
    for (auto& mappings : mapped_) mappings.clear();
  }
  std::size_t count() const override { return used_->size(); }
  std::byte* base(std::size_t argument) const override {
    return reinterpret_cast<std::byte*>((*used_)[argument].address());
  }
  std::size_t bytes(std::size_t argument) const override { return (*used_)[argument].bytes(); }

  void* make_workspace(std::size_t bytes) override {
    if (workspace_ != 0) cuda::driver().cuMemFree(workspace_);
    workspace_ = 0;
    if (bytes > 0 && cuda::driver().cuMemAlloc(&workspace_, bytes) != CUDA_SUCCESS) workspace_ = 0;
    return reinterpret_cast<void*>(workspace_);
  }

  void begin() override { cuda::driver().cuEventRecord(events_[0], nullptr); }

  /// An event of one stream would leave out streams that do not wait for it, and kernels that are launched to
  /// begin early. Drivers before CUDA 12.5 have no events of a context: there the host waits.
  int separate(std::string& text) override {
    const auto& driver = cuda::driver();
    auto result = CUDA_SUCCESS;
    if (driver.cuCtxRecordEvent && driver.cuCtxWaitEvent) {
      result = driver.cuCtxRecordEvent(context_.get(), separation_);
      if (result == CUDA_SUCCESS) result = driver.cuCtxWaitEvent(context_.get(), separation_);
    } else {
      context_.make_current();
      result = driver.cuCtxSynchronize();
    }
    if (result != CUDA_SUCCESS) text = cuda::error_text(result);
    return result;
  }

  int finish(std::string& text) override {
    // The candidate may have left another context current. To wait for that one would not wait for the calls
    // in ours.
    context_.make_current();
    cuda::driver().cuEventRecord(events_[1], nullptr);
    const auto result = cuda::driver().cuCtxSynchronize();
    if (result != CUDA_SUCCESS) text = cuda::error_text(result);
    return result;
  }

  double device_seconds() override {
    float milliseconds = 0;
    const auto result = cuda::driver().cuEventElapsedTime(&milliseconds, events_[0], events_[1]);
    return result == CUDA_SUCCESS ? milliseconds * 1e-3 : 0;
  }

 private:
  cuda::PrimaryContext context_;
  std::array<std::vector<cuda::Mapping>, kMaxMappings> mapped_;
  std::vector<cuda::Mapping>* used_ = mapped_.data();
  std::array<CUevent, 2> events_{};
  CUevent separation_ = nullptr;
  CUdeviceptr workspace_ = 0;
};

}  // namespace

std::unique_ptr<Side> make_cuda_side(int index) {
  return std::make_unique<CudaSide>(index);
}

}  // namespace ridgeline::runner
