#include "engine/cuda/metric_host.hpp"

#include <limits>
#include <memory>
#include <utility>

namespace ridgeline::cuda {
namespace {

/// Owns one host object of CUPTI, which collects the metrics of one configuration.
class HostObject {
 public:
  HostObject(const Cupti& cupti, const std::string& chip) : cupti_(cupti) {
    RIDGELINE_CUPTI_PARAMS(CUpti_Profiler_Host_Initialize_Params, params);
    params.profilerType = CUPTI_PROFILER_TYPE_RANGE_PROFILER;
    params.pChipName = chip.c_str();
    cupti.check(cupti.cuptiProfilerHostInitialize(&params), ("counters of the chip " + chip).c_str());
    object_ = params.pHostObject;
  }
  HostObject(const HostObject&) = delete;  // it owns a library's object
  HostObject& operator=(const HostObject&) = delete;
  ~HostObject() {
    if (!object_) return;
    RIDGELINE_CUPTI_PARAMS(CUpti_Profiler_Host_Deinitialize_Params, params);
    params.pHostObject = object_;
    cupti_.cuptiProfilerHostDeinitialize(&params);
  }
  CUpti_Profiler_Host_Object* get() const { return object_; }
  CUpti_Profiler_Host_Object* release() { return std::exchange(object_, nullptr); }

 private:
  const Cupti& cupti_;
  CUpti_Profiler_Host_Object* object_ = nullptr;
};

}  // namespace

MetricHost::MetricHost(const Cupti& cupti, std::string chip)
    : cupti_(cupti), chip_(std::move(chip)), object_(HostObject(cupti, chip_).release()) {}

MetricHost::~MetricHost() {
  RIDGELINE_CUPTI_PARAMS(CUpti_Profiler_Host_Deinitialize_Params, params);
  params.pHostObject = object_;
  cupti_.cuptiProfilerHostDeinitialize(&params);
}

CUptiResult MetricHost::add(CUpti_Profiler_Host_Object* object, std::vector<const char*> names) const {
  RIDGELINE_CUPTI_PARAMS(CUpti_Profiler_Host_ConfigAddMetrics_Params, params);
  params.pHostObject = object;
  params.ppMetricNames = names.data();
  params.numMetrics = names.size();
  return cupti_.cuptiProfilerHostConfigAddMetrics(&params);
}

MetricConfig MetricHost::configure(std::span<const std::string> metrics) const {
  MetricConfig config;
  config.unknown.assign(metrics.size(), false);
  std::vector<const char*> names;
  for (const auto& metric : metrics) names.push_back(metric.c_str());
  // All metrics are added at once: metrics added one by one get passes of their own, six times as many.
  auto object = std::make_unique<HostObject>(cupti_, chip_);
  if (add(object->get(), names) != CUPTI_SUCCESS) {
    // One unknown name spoils the whole list, and the object for later lists: each name is tried on an
    // object of its own.
    names.clear();
    for (std::size_t i = 0; i < metrics.size(); ++i) {
      config.unknown[i] = add(HostObject(cupti_, chip_).get(), {metrics[i].c_str()}) != CUPTI_SUCCESS;
      if (!config.unknown[i]) names.push_back(metrics[i].c_str());
    }
    object = std::make_unique<HostObject>(cupti_, chip_);
    cupti_.check(names.empty() ? CUPTI_ERROR_INVALID_METRIC_NAME : add(object->get(), names),
                 ("metrics of the chip " + chip_).c_str());
  }

  RIDGELINE_CUPTI_PARAMS(CUpti_Profiler_Host_GetConfigImageSize_Params, size);
  size.pHostObject = object->get();
  cupti_.check(cupti_.cuptiProfilerHostGetConfigImageSize(&size), "cuptiProfilerHostGetConfigImageSize");
  config.image.resize(size.configImageSize);
  RIDGELINE_CUPTI_PARAMS(CUpti_Profiler_Host_GetConfigImage_Params, get);
  get.pHostObject = object->get();
  get.configImageSize = config.image.size();
  get.pConfigImage = config.image.data();
  cupti_.check(cupti_.cuptiProfilerHostGetConfigImage(&get), "cuptiProfilerHostGetConfigImage");
  RIDGELINE_CUPTI_PARAMS(CUpti_Profiler_Host_GetNumOfPasses_Params, passes);
  passes.configImageSize = config.image.size();
  passes.pConfigImage = config.image.data();
  cupti_.check(cupti_.cuptiProfilerHostGetNumOfPasses(&passes), "cuptiProfilerHostGetNumOfPasses");
  config.passes = passes.numOfPasses;
  return config;
}

std::vector<double> MetricHost::evaluate(std::span<const std::uint8_t> counted, std::size_t range,
                                         std::span<const std::string> metrics) const {
  std::vector<double> values;
  // One by one, since one metric that cannot be evaluated would fail them all.
  for (const auto& metric : metrics) {
    const char* name = metric.c_str();
    double value = std::numeric_limits<double>::quiet_NaN();
    RIDGELINE_CUPTI_PARAMS(CUpti_Profiler_Host_EvaluateToGpuValues_Params, params);
    params.pHostObject = object_;
    params.pCounterDataImage = counted.data();
    params.counterDataImageSize = counted.size();
    params.rangeIndex = range;
    params.ppMetricNames = &name;
    params.numMetrics = 1;
    params.pMetricValues = &value;
    if (cupti_.cuptiProfilerHostEvaluateToGpuValues(&params) != CUPTI_SUCCESS)
      value = std::numeric_limits<double>::quiet_NaN();
    values.push_back(value);
  }
  return values;
}

std::string chip_name(const Cupti& cupti, int device) {
  RIDGELINE_CUPTI_PARAMS(CUpti_Profiler_Initialize_Params, initialize);  // without it the next call crashes
  cupti.check(cupti.cuptiProfilerInitialize(&initialize), "cuptiProfilerInitialize");
  RIDGELINE_CUPTI_PARAMS(CUpti_Device_GetChipName_Params, params);
  params.deviceIndex = static_cast<std::size_t>(device);
  cupti.check(cupti.cuptiDeviceGetChipName(&params), "the name of the chip");
  return params.pChipName;
}

}  // namespace ridgeline::cuda
