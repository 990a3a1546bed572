#include "engine/cuda/cache_sweep.hpp"

#include "engine/cuda/device.hpp"
#include "engine/cuda/driver.hpp"

namespace ridgeline::cuda {
namespace {

// Twice would do for a cache with true LRU; hardware's replacement needs more to evict every line.
constexpr std::size_t kTimesL2 = 4;
constexpr unsigned kSweepThreads = 256;
constexpr unsigned kBlocksAMultiprocessor = 8;

// for (i = first; i < count; i += step) sum ^= memory[i].x ^ memory[i].y;
// The sum is stored only if it has a value that it never takes: without a use, the compiler would drop the
// reads.
constexpr const char* kReadThrough = R"ptx(
.version 7.0
.target sm_70
.address_size 64
.visible .entry read_through(.param .u64 memory, .param .u64 count) {
  .reg .pred %p<3>;
  .reg .b32 %r<5>;
  .reg .b64 %d<11>;
  ld.param.u64 %d0, [memory];
  cvta.to.global.u64 %d1, %d0;
  ld.param.u64 %d2, [count];
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %ntid.x;
  mov.u32 %r2, %tid.x;
  mov.u32 %r3, %nctaid.x;
  cvt.u64.u32 %d3, %r2;
  mul.wide.u32 %d4, %r0, %r1;
  add.u64 %d3, %d3, %d4;
  mul.wide.u32 %d4, %r3, %r1;
  mov.u64 %d5, 0;
next:
  setp.ge.u64 %p0, %d3, %d2;
  @%p0 bra done;
  shl.b64 %d6, %d3, 4;
  add.u64 %d7, %d1, %d6;
  ld.global.v2.u64 {%d8, %d9}, [%d7];
  xor.b64 %d8, %d8, %d9;
  xor.b64 %d5, %d5, %d8;
  add.u64 %d3, %d3, %d4;
  bra next;
done:
  setp.ne.u64 %p1, %d5, 0x9e3779b97f4a7c15;
  @%p1 ret;
  st.global.u64 [%d1], %d5;
  ret;
}
)ptx";

}  // namespace

CacheSweep::CacheSweep(int device) {
  const auto facts = device_facts(device);
  const std::size_t bytes = kTimesL2 * facts.l2_bytes;
  count_ = bytes / 16;
  blocks_ = kBlocksAMultiprocessor * static_cast<unsigned>(facts.multiprocessors);
  // The destructor does not run when a constructor throws.
  try {
    check(driver().cuModuleLoadData(&module_, kReadThrough), "loading the kernel that empties the L2");
    check(driver().cuModuleGetFunction(&read_, module_, "read_through"), "finding read_through");
    check(driver().cuMemAlloc(&memory_, bytes), "allocating what empties the L2");
    run();
  } catch (...) {
    release();
    throw;
  }
}

CacheSweep::~CacheSweep() {
  release();
}

void CacheSweep::release() {
  if (memory_ != 0) driver().cuMemFree(memory_);
  if (module_) driver().cuModuleUnload(module_);
}

void CacheSweep::run() {
  void* arguments[] = {&memory_, &count_};
  check(driver().cuLaunchKernel(read_, blocks_, 1, 1, kSweepThreads, 1, 1, 0, nullptr, arguments, nullptr),
        "launching the kernel that empties the L2");
  check(driver().cuCtxSynchronize(), "emptying the L2");
}

}  // namespace ridgeline::cuda
