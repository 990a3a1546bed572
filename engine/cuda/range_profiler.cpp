#include "engine/cuda/range_profiler.hpp"

#include <algorithm>

#include "engine/cuda/driver.hpp"

namespace ridgeline::cuda {

RangeProfiler::RangeProfiler(const Cupti& cupti) : cupti_(cupti) {
  RIDGELINE_CUPTI_PARAMS(CUpti_Profiler_Initialize_Params, initialize);
  cupti.check(cupti.cuptiProfilerInitialize(&initialize), "cuptiProfilerInitialize");
  enable();
}

RangeProfiler::~RangeProfiler() {
  disable();
}

void RangeProfiler::enable() {
  RIDGELINE_CUPTI_PARAMS(CUpti_RangeProfiler_Enable_Params, params);
  check(driver().cuCtxGetCurrent(&params.ctx), "cuCtxGetCurrent");  // CUPTI crashes on a null context
  cupti_.check(cupti_.cuptiRangeProfilerEnable(&params), "cuptiRangeProfilerEnable");
  object_ = params.pRangeProfilerObject;
  fresh_ = true;
}

void RangeProfiler::disable() {
  if (!object_) return;
  RIDGELINE_CUPTI_PARAMS(CUpti_RangeProfiler_Disable_Params, params);
  params.pRangeProfilerObject = object_;
  cupti_.cuptiRangeProfilerDisable(&params);
  object_ = nullptr;
}

void RangeProfiler::configure(std::span<const std::uint8_t> config, std::span<const std::string> metrics,
                              std::size_t most_ranges) {
  // Under another configuration a profiler that is already enabled answers "unknown error", so it is enabled
  // anew.
  if (config_ && !std::ranges::equal(*config_, config)) {
    disable();
    enable();
  }
  config_ = config;
  most_ranges_ = most_ranges;
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
  apply_config();
}

void RangeProfiler::apply_config() {
  RIDGELINE_CUPTI_PARAMS(CUpti_RangeProfiler_CounterDataImage_Initialize_Params, initialize);
  initialize.pRangeProfilerObject = object_;
  initialize.counterDataSize = counted_.size();
  initialize.pCounterData = counted_.data();
  cupti_.check(cupti_.cuptiRangeProfilerCounterDataImageInitialize(&initialize),
               "cuptiRangeProfilerCounterDataImageInitialize");

  RIDGELINE_CUPTI_PARAMS(CUpti_RangeProfiler_SetConfig_Params, set);
  set.pRangeProfilerObject = object_;
  set.pConfig = config_->data();
  set.configSize = config_->size();
  set.pCounterDataImage = counted_.data();
  set.counterDataImageSize = counted_.size();
  set.range = CUPTI_UserRange;
  set.replayMode = CUPTI_UserReplay;
  set.maxRangesPerPass = most_ranges_;
  set.numNestingLevels = 1;
  set.minNestingLevel = 1;
  set.targetNestingLevel = 1;
  cupti_.check(cupti_.cuptiRangeProfilerSetConfig(&set), "cuptiRangeProfilerSetConfig");
}

CUptiResult RangeProfiler::start() {
  RIDGELINE_CUPTI_PARAMS(CUpti_RangeProfiler_Start_Params, params);
  params.pRangeProfilerObject = object_;
  return cupti_.cuptiRangeProfilerStart(&params);
}

void RangeProfiler::begin_pass() {
  auto started = start();
  if (started != CUPTI_SUCCESS &&
      !fresh_) {  // some CUPTI versions cannot start twice under one configuration
    disable();
    enable();
    apply_config();
    started = start();
  }
  cupti_.check(started, "cuptiRangeProfilerStart");
  fresh_ = false;
}

void RangeProfiler::begin_range(const char* name) {
  RIDGELINE_CUPTI_PARAMS(CUpti_RangeProfiler_PushRange_Params, push);
  push.pRangeProfilerObject = object_;
  push.pRangeName = name;
  cupti_.check(cupti_.cuptiRangeProfilerPushRange(&push), "cuptiRangeProfilerPushRange");
}

void RangeProfiler::end_range() {
  RIDGELINE_CUPTI_PARAMS(CUpti_RangeProfiler_PopRange_Params, pop);
  pop.pRangeProfilerObject = object_;
  cupti_.check(cupti_.cuptiRangeProfilerPopRange(&pop), "cuptiRangeProfilerPopRange");
}

bool RangeProfiler::end_pass() {
  RIDGELINE_CUPTI_PARAMS(CUpti_RangeProfiler_Stop_Params, stop);
  stop.pRangeProfilerObject = object_;
  cupti_.check(cupti_.cuptiRangeProfilerStop(&stop), "cuptiRangeProfilerStop");
  return stop.isAllPassSubmitted != 0;
}

RangeProfiler::CounterData RangeProfiler::decode() {
  RIDGELINE_CUPTI_PARAMS(CUpti_RangeProfiler_DecodeData_Params, decode);
  decode.pRangeProfilerObject = object_;
  cupti_.check(cupti_.cuptiRangeProfilerDecodeData(&decode), "cuptiRangeProfilerDecodeData");
  RIDGELINE_CUPTI_PARAMS(CUpti_RangeProfiler_GetCounterDataInfo_Params, info);
  info.pCounterDataImage = counted_.data();
  info.counterDataImageSize = counted_.size();
  cupti_.check(cupti_.cuptiRangeProfilerGetCounterDataInfo(&info), "cuptiRangeProfilerGetCounterDataInfo");
  CounterData counted{counted_, {}};
  for (std::size_t range = 0; range < info.numTotalRanges; ++range) counted.ranges.push_back(name_of(range));
  return counted;
}

std::string RangeProfiler::name_of(std::size_t range) const {
  RIDGELINE_CUPTI_PARAMS(CUpti_RangeProfiler_CounterData_GetRangeInfo_Params, info);
  info.pCounterDataImage = counted_.data();
  info.counterDataImageSize = counted_.size();
  info.rangeIndex = range;
  info.rangeDelimiter = "/";
  cupti_.check(cupti_.cuptiRangeProfilerCounterDataGetRangeInfo(&info),
               "cuptiRangeProfilerCounterDataGetRangeInfo");
  return info.rangeName ? info.rangeName : "";
}

}  // namespace ridgeline::cuda
