// Loads CUPTI at run time: hardware counters of kernels that this process launches.
//
// Only the Range Profiler, callbacks on launches and records of kernels are used. Decoding needs
// libnvperf_host.so beside the library; cupti_search.hpp finds a folder that has both.
#pragma once

#include <cuda.h>
#include <cupti_activity.h>
#include <cupti_callbacks.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_range_profiler.h>
#include <cupti_result.h>
#include <cupti_target.h>

#include <stdexcept>
#include <string>

namespace ridgeline::cuda {

/// CUPTI refused a call. That is a fact about this machine or this process, to be reported; never a
/// candidate's fault.
class CuptiRefused : public std::runtime_error {
 public:
  CuptiRefused(CUptiResult result, const std::string& text) : std::runtime_error(text), result_(result) {}
  /// CUPTI's own code for the refusal.
  CUptiResult result() const { return result_; }

 private:
  CUptiResult result_;
};

/// CUPTI's functions, under their own names.
struct Cupti {
  // clang-format off
#define RIDGELINE_CUPTI_FUNCTIONS(F) \
  F(cuptiGetResultString) F(cuptiSubscribe) F(cuptiUnsubscribe) F(cuptiEnableCallback) F(cuptiEnableDomain) \
  F(cuptiProfilerInitialize) F(cuptiDeviceGetChipName) \
  F(cuptiProfilerHostInitialize) F(cuptiProfilerHostDeinitialize) F(cuptiProfilerHostConfigAddMetrics) \
  F(cuptiProfilerHostGetConfigImageSize) F(cuptiProfilerHostGetConfigImage) \
  F(cuptiProfilerHostGetNumOfPasses) F(cuptiProfilerHostEvaluateToGpuValues) \
  F(cuptiRangeProfilerEnable) F(cuptiRangeProfilerDisable) F(cuptiRangeProfilerSetConfig) \
  F(cuptiRangeProfilerStart) F(cuptiRangeProfilerStop) F(cuptiRangeProfilerPushRange) \
  F(cuptiRangeProfilerPopRange) F(cuptiRangeProfilerDecodeData) F(cuptiRangeProfilerGetCounterDataSize) \
  F(cuptiRangeProfilerCounterDataImageInitialize) F(cuptiRangeProfilerGetCounterDataInfo) \
  F(cuptiRangeProfilerCounterDataGetRangeInfo) \
  F(cuptiActivityRegisterCallbacks) F(cuptiActivityEnable) F(cuptiActivityDisable) F(cuptiActivityFlushAll) \
  F(cuptiActivityGetNextRecord) F(cuptiActivityGetNumDroppedRecords)
// clang-format on
#define RIDGELINE_CUPTI_MEMBER(name) decltype(&::name) name = nullptr;
  RIDGELINE_CUPTI_FUNCTIONS(RIDGELINE_CUPTI_MEMBER)
#undef RIDGELINE_CUPTI_MEMBER

  /// Throws CuptiRefused, with `what` failed and how to fix it, unless `result` is success.
  void check(CUptiResult result, const char* what) const;
};

/// Loads the library at `path` and never unloads it. Throws MachineCannot with what is missing and how to
/// fix it.
Cupti load_cupti(const std::string& path);

/// Declares a parameter structure of CUPTI. CUPTI requires the size of each structure up to the last member
/// that this build knows, for compatibility between versions.
#define RIDGELINE_CUPTI_PARAMS(type, name) \
  type name{};                             \
  name.structSize = type##_STRUCT_SIZE

}  // namespace ridgeline::cuda
