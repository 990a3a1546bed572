#include "engine/cuda/kernel_spans.hpp"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <mutex>
#include <utility>

namespace ridgeline::cuda {
namespace {

constexpr std::size_t kBuffer = std::size_t{64} << 10;  // bytes; a record takes about 200
constexpr std::size_t kAlignment = 8;                   // bytes, as CUPTI wants

/// What CUPTI's callbacks add up. Plain members, so that nothing is destroyed at the process's end, when
/// CUPTI may still call.
struct SpanTally {
  std::atomic<decltype(&::cuptiActivityGetNextRecord)> next = nullptr;
  std::atomic<decltype(&::cuptiActivityGetNumDroppedRecords)> dropped = nullptr;
  // Guards `sum`. Nobody who holds it calls CUPTI, which calls back while it holds locks of its own.
  std::mutex mutex;
  KernelSpans::Sum sum;
};

SpanTally& tally() {
  static SpanTally one;
  return one;
}

void add(const CUpti_ActivityKernel10& kernel, KernelSpans::Sum& sum) {
  // A record without times has 0 for both, and one that was flushed before its kernel's end has no end yet.
  if (kernel.start == 0 || kernel.end < kernel.start) {
    ++sum.lost;
    return;
  }
  ++sum.kernels;
  sum.seconds += static_cast<double>(kernel.end - kernel.start) * 1e-9;
}

// Both are called by CUPTI, on the thread that launches or flushes or on one of its own; neither may throw.
void CUPTIAPI on_request(std::uint8_t** buffer, std::size_t* bytes, std::size_t* most_records) {
  *buffer = static_cast<std::uint8_t*>(std::aligned_alloc(kAlignment, kBuffer));
  *bytes = *buffer ? kBuffer : 0;  // CUPTI then drops the record, and counts that
  *most_records = 0;               // as many as fit
}

void CUPTIAPI on_complete(CUcontext context, std::uint32_t stream, std::uint8_t* buffer, std::size_t,
                          std::size_t used) {
  auto& all = tally();
  KernelSpans::Sum here;
  const auto next = all.next.load();
  CUpti_Activity* record = nullptr;
  while (buffer && used > 0 && next(buffer, used, &record) == CUPTI_SUCCESS)
    if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
      // CUPTI writes the newest version of the record that it knows. Later ones have appended to this
      // one, and only its beginning is read.
      add(*reinterpret_cast<const CUpti_ActivityKernel10*>(record), here);
  std::size_t dropped = 0;
  if (all.dropped.load()(context, stream, &dropped) == CUPTI_SUCCESS)
    here.lost += static_cast<std::uint32_t>(dropped);
  std::free(buffer);
  const std::scoped_lock lock(all.mutex);
  all.sum.kernels += here.kernels;
  all.sum.lost += here.lost;
  all.sum.seconds += here.seconds;
}

}  // namespace

KernelSpans::KernelSpans(const Cupti& cupti) : cupti_(cupti) {
  tally().next = cupti.cuptiActivityGetNextRecord;
  tally().dropped = cupti.cuptiActivityGetNumDroppedRecords;
  cupti.check(cupti.cuptiActivityRegisterCallbacks(on_request, on_complete),
              "cuptiActivityRegisterCallbacks");
}

KernelSpans::~KernelSpans() {
  if (records_) cupti_.cuptiActivityDisable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
}

void KernelSpans::begin() {
  {
    auto& all = tally();
    const std::scoped_lock lock(all.mutex);
    all.sum = {};
  }
  // Kernels are recorded as nodes of their graphs too, unless graphs are traced as wholes.
  cupti_.check(cupti_.cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL), "cuptiActivityEnable");
  records_ = true;
}

KernelSpans::Sum KernelSpans::end() {
  // The records of kernels that are over are complete: CUPTI waits for none. What a forced flush brings
  // beyond them has no times.
  const auto complete = cupti_.cuptiActivityFlushAll(0);
  disable();
  cupti_.check(complete, "cuptiActivityFlushAll");
  cupti_.check(cupti_.cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED), "cuptiActivityFlushAll");
  auto& all = tally();
  const std::scoped_lock lock(all.mutex);
  return std::exchange(all.sum, {});
}

void KernelSpans::disable() {
  records_ = false;
  cupti_.check(cupti_.cuptiActivityDisable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL), "cuptiActivityDisable");
}

}  // namespace ridgeline::cuda
