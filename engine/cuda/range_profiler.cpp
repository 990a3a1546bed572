#include "engine/cuda/range_profiler.hpp"

#include "engine/cuda/driver.hpp"

namespace ridgeline::cuda {

RangeProfiler::RangeProfiler(const Cupti& cupti) : cupti_(cupti) {
  RIDGELINE_CUPTI_PARAMS(CUpti_Profiler_Initialize_Params, initialize);
  cupti.check(cupti.cuptiProfilerInitialize(&initialize), "cuptiProfilerInitialize");
  RIDGELINE_CUPTI_PARAMS(CUpti_RangeProfiler_Enable_Params, enable);
  cuda::check(driver().cuCtxGetCurrent(&enable.ctx), "cuCtxGetCurrent");  // it takes none for a crash
  cupti.check(cupti.cuptiRangeProfilerEnable(&enable), "cuptiRangeProfilerEnable");
  object_ = enable.pRangeProfilerObject;
}

RangeProfiler::~RangeProfiler() {
  RIDGELINE_CUPTI_PARAMS(CUpti_RangeProfiler_Disable_Params, params);
  params.pRangeProfilerObject = object_;
  cupti_.cuptiRangeProfilerDisable(&params);
}

void RangeProfiler::configure(std::span<const std::uint8_t> config, std::span<const std::string> metrics,
                              Ranges ranges, std::size_t most_ranges) {
  ranges_ = ranges;
  std::vector<const char*> names;
  for (const auto& metric : metrics) names.push_back(metric.c_str());
  RIDGELINE_CUPTI_PARAMS(CUpti_RangeProfiler_GetCounterDataSize_Params, size);
  size.pRangeProfilerObject = object_;
  size.pMetricNames = names.data();
  size.numMetrics = names.size();
  size.maxNumOfRanges = most_ranges;
  size.maxNumRangeTreeNodes = static_cast<std::uint32_t>(most_ranges);
  cupti_.check(cupti_.cuptiRangeProfilerGetCounterDataSize(&size), "cuptiRangeProfilerGetCounterDataSize");
  counted_.assign(size.counterDataSize, 0);
  RIDGELINE_CUPTI_PARAMS(CUpti_RangeProfiler_CounterDataImage_Initialize_Params, initialize);
  initialize.pRangeProfilerObject = object_;
  initialize.counterDataSize = counted_.size();
  initialize.pCounterData = counted_.data();
  cupti_.check(cupti_.cuptiRangeProfilerCounterDataImageInitialize(&initialize),
               "cuptiRangeProfilerCounterDataImageInitialize");

  RIDGELINE_CUPTI_PARAMS(CUpti_RangeProfiler_SetConfig_Params, set);
  set.pRangeProfilerObject = object_;
  set.pConfig = config.data();
  set.configSize = config.size();
  set.pCounterDataImage = counted_.data();
  set.counterDataImageSize = counted_.size();
  set.range = ranges == Ranges::call ? CUPTI_UserRange : CUPTI_AutoRange;
  set.replayMode = CUPTI_UserReplay;
  set.maxRangesPerPass = most_ranges;
  set.numNestingLevels = 1;
  set.minNestingLevel = 1;
  set.targetNestingLevel = 1;
  cupti_.check(cupti_.cuptiRangeProfilerSetConfig(&set), "cuptiRangeProfilerSetConfig");
}

void RangeProfiler::begin_pass() {
  RIDGELINE_CUPTI_PARAMS(CUpti_RangeProfiler_Start_Params, start);
  start.pRangeProfilerObject = object_;
  cupti_.check(cupti_.cuptiRangeProfilerStart(&start), "cuptiRangeProfilerStart");
  if (ranges_ == Ranges::kernels) return;
  RIDGELINE_CUPTI_PARAMS(CUpti_RangeProfiler_PushRange_Params, push);
  push.pRangeProfilerObject = object_;
  push.pRangeName = "call";
  cupti_.check(cupti_.cuptiRangeProfilerPushRange(&push), "cuptiRangeProfilerPushRange");
}

bool RangeProfiler::end_pass() {
  if (ranges_ == Ranges::call) {
    RIDGELINE_CUPTI_PARAMS(CUpti_RangeProfiler_PopRange_Params, pop);
    pop.pRangeProfilerObject = object_;
    cupti_.check(cupti_.cuptiRangeProfilerPopRange(&pop), "cuptiRangeProfilerPopRange");
  }
  RIDGELINE_CUPTI_PARAMS(CUpti_RangeProfiler_Stop_Params, stop);
  stop.pRangeProfilerObject = object_;
  cupti_.check(cupti_.cuptiRangeProfilerStop(&stop), "cuptiRangeProfilerStop");
  return stop.isAllPassSubmitted != 0;
}

RangeProfiler::Counted RangeProfiler::decode() {
  RIDGELINE_CUPTI_PARAMS(CUpti_RangeProfiler_DecodeData_Params, decode);
  decode.pRangeProfilerObject = object_;
  cupti_.check(cupti_.cuptiRangeProfilerDecodeData(&decode), "cuptiRangeProfilerDecodeData");
  RIDGELINE_CUPTI_PARAMS(CUpti_RangeProfiler_GetCounterDataInfo_Params, info);
  info.pCounterDataImage = counted_.data();
  info.counterDataImageSize = counted_.size();
  cupti_.check(cupti_.cuptiRangeProfilerGetCounterDataInfo(&info), "cuptiRangeProfilerGetCounterDataInfo");
  return {counted_, info.numTotalRanges, decode.numOfRangeDropped};
}

}  // namespace ridgeline::cuda
