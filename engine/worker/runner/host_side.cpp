#include <sys/mman.h>

#include <array>

#include "engine/worker/runner/mapped_arguments.hpp"
#include "engine/worker/runner/side.hpp"

namespace ridgeline::runner {
namespace {

class HostSide final : public Side {
 public:
  bool map(std::size_t place, std::span<int> descriptors, std::span<const std::uint64_t> bytes) override {
    use(place);
    return used_->map(descriptors, bytes);
  }
  void use(std::size_t place) override { used_ = &mapped_.at(place); }
  void unmap_all() override {
    for (auto& arguments : mapped_) arguments.unmap();
  }
  std::size_t count() const override { return used_->count(); }
  std::byte* base(std::size_t argument) const override { return used_->base(argument); }
  std::size_t bytes(std::size_t argument) const override { return used_->bytes(argument); }

  /// Makes its pages present, so that the first call does not pay for page faults.
  void* make_workspace(std::size_t bytes) override {
    if (workspace_) ::munmap(workspace_, workspace_bytes_);
    workspace_ = nullptr;
    workspace_bytes_ = bytes;
    if (bytes == 0) return nullptr;
    void* memory =
        ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (memory != MAP_FAILED) workspace_ = memory;
    return workspace_;
  }

 private:
  std::array<MappedArguments, kMaxMappings> mapped_;
  MappedArguments* used_ = mapped_.data();
  void* workspace_ = nullptr;
  std::size_t workspace_bytes_ = 0;
};

}  // namespace

std::unique_ptr<Side> make_host_side() {
  return std::make_unique<HostSide>();
}

}  // namespace ridgeline::runner
