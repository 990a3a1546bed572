#include "engine/cuda/possession_watch.hpp"

#include <algorithm>

#include "engine/cuda/device.hpp"
#include "engine/cuda/driver.hpp"
#include "engine/cuda/nvrtc.hpp"

namespace ridgeline::cuda {
namespace {

// `words`: begun, asked to end, longest gap in nanoseconds. The thread ends by itself after 2 s, or a
// judge that failed in between would wait for it forever; so would a driver that loads a kernel at its first
// launch, which waits for all work of the context.
constexpr const char* kWatchKernel = R"text(
typedef unsigned long long u64;
__device__ u64 nanoseconds() {
  u64 now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  return now;
}
extern "C" __global__ void watch(volatile u64* words) {
  const u64 begin = nanoseconds();
  u64 last = begin, longest = 0;
  words[0] = 1;
  while (words[1] == 0 && last - begin < 2000000000ull) {
    const u64 now = nanoseconds();
    if (now - last > longest) longest = now - last;
    last = now;
  }
  // The device may have been taken between the last reading and the one of words[1].
  const u64 end = nanoseconds();
  if (end - last > longest) longest = end - last;
  words[2] = words[1] == 0 ? end - begin : longest;
}
)text";

constexpr std::size_t kWords = 3;
enum Word : std::size_t { begun, asked_to_end, longest_gap };

}  // namespace

PossessionWatch::PossessionWatch(int device) {
  const auto facts = device_facts(device);
  const auto cubin = compile(kWatchKernel, facts.major, facts.minor);
  check(driver().cuModuleLoadData(&module_, cubin.data()), "loading the kernel that watches the device");
  check(driver().cuModuleGetFunction(&watch_, module_, "watch"), "finding watch");
  check(driver().cuStreamCreate(&stream_, CU_STREAM_NON_BLOCKING), "making a stream");
  void* words = nullptr;
  check(driver().cuMemHostAlloc(&words, kWords * sizeof(std::uint64_t), CU_MEMHOSTALLOC_DEVICEMAP),
        "allocating pinned memory");
  words_ = static_cast<volatile std::uint64_t*>(words);
}

PossessionWatch::~PossessionWatch() {
  if (stream_) driver().cuStreamDestroy(stream_);
  if (words_ != nullptr) driver().cuMemFreeHost(const_cast<std::uint64_t*>(words_));
  if (module_) driver().cuModuleUnload(module_);
}

void PossessionWatch::begin() {
  std::fill_n(words_, kWords, 0);
  // Unified addressing: the device reaches pinned memory by the host's address.
  CUdeviceptr words = reinterpret_cast<CUdeviceptr>(words_);
  void* arguments[] = {&words};
  check(driver().cuLaunchKernel(watch_, 1, 1, 1, 1, 1, 1, 0, stream_, arguments, nullptr),
        "launching the kernel that watches the device");
  while (words_[begun] == 0)
    if (const auto state = driver().cuStreamQuery(stream_); state != CUDA_ERROR_NOT_READY) {
      check(state, "the kernel that watches the device");
      return;  // it is over already
    }
}

double PossessionWatch::end() {
  words_[asked_to_end] = 1;
  check(driver().cuStreamSynchronize(stream_), "the kernel that watches the device");
  return static_cast<double>(words_[longest_gap]) * 1e-9;
}

}  // namespace ridgeline::cuda
