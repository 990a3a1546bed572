#include "engine/cuda/launch_log.hpp"

#include <cupti_driver_cbid.h>

#include <mutex>
#include <string_view>
#include <utility>

#include "engine/cuda/driver.hpp"

namespace ridgeline::cuda {
namespace {

constexpr CUpti_CallbackId kLaunches[] = {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel,
                                          CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz,
                                          CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
                                          CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz,
                                          CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel,
                                          CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz,
                                          CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch,
                                          CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz};

// The beginnings of these calls' arguments, as generated_cuda_meta.h lays them out. That header does not
// compile with cuda.h alone, so they are declared here.
struct PlainLaunch {  // cuLaunchKernel, cuLaunchCooperativeKernel
  CUfunction function;
  unsigned grid[3], block[3];
  unsigned shared_bytes;
};
struct ConfiguredLaunch {  // cuLaunchKernelEx
  const CUlaunchConfig* config;
  CUfunction function;
};

struct RecordedCall {
  Launch launch;
  CUfunction function = nullptr;
};

RecordedCall from_plain(const void* raw) {
  const auto& call = *static_cast<const PlainLaunch*>(raw);
  RecordedCall recorded;
  recorded.launch.grid = {call.grid[0], call.grid[1], call.grid[2]};
  recorded.launch.block = {call.block[0], call.block[1], call.block[2]};
  recorded.launch.dynamic_shared = call.shared_bytes;
  recorded.function = call.function;
  return recorded;
}

RecordedCall from_config(const void* raw) {
  const auto& call = *static_cast<const ConfiguredLaunch*>(raw);
  RecordedCall recorded;
  recorded.function = call.function;
  if (!call.config) return recorded;
  const auto& config = *call.config;
  recorded.launch.grid = {config.gridDimX, config.gridDimY, config.gridDimZ};
  recorded.launch.block = {config.blockDimX, config.blockDimY, config.blockDimZ};
  recorded.launch.dynamic_shared = config.sharedMemBytes;
  return recorded;
}

RecordedCall read_call(CUpti_CallbackId id, const void* arguments) {
  switch (id) {
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz:
      return from_plain(arguments);
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz:
      return from_config(arguments);
    default: {
      RecordedCall recorded;
      recorded.launch.graph = true;
      return recorded;
    }
  }
}

/// Turns what was launched into a function. The CUDA runtime launches kernels of libraries; the driver
/// accepts both under one type, and answers attribute queries for functions only.
CUfunction as_function(CUfunction launched) {
  int registers = 0;
  if (!launched ||
      driver().cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, launched) == CUDA_SUCCESS)
    return launched;
  CUfunction function = nullptr;
  const auto kernel = reinterpret_cast<CUkernel>(launched);
  return driver().cuKernelGetFunction(&function, kernel) == CUDA_SUCCESS ? function : nullptr;
}

int attribute(CUfunction function, CUfunction_attribute which) {
  int value = 0;
  if (!function || driver().cuFuncGetAttribute(&value, which, function) != CUDA_SUCCESS) return 0;
  return value;
}

}  // namespace

struct LaunchLog::State {
  CUpti_SubscriberHandle subscriber = nullptr;
  mutable std::mutex mutex;
  std::vector<RecordedCall> recorded;
  std::size_t most = 0;
  std::size_t count = 0;
  LaunchWatcher* watcher = nullptr;
  bool surveys = false;
  std::size_t surveyed = 0;  // kernel launches during the survey
  bool other_work = false;   // whether anything else was asked of the device

  /// Counts a call if a survey is in progress; returns whether it is. A survey records no launches.
  bool survey(std::string_view function) {
    const std::scoped_lock lock(mutex);
    if (!surveys) return false;
    for (const std::string_view launch : {"cuLaunchKernel", "cuLaunchKernelEx", "cuLaunchCooperativeKernel"})
      if (function == launch || function == std::string(launch) + "_ptsz") {
        ++surveyed;
        return true;
      }
    // Any of these calls gives the device work that the counted kernel would share its caches with.
    for (const std::string_view work : {"cuLaunch", "cuGraphLaunch", "cuMemcpy", "cuMemset", "cuMemPrefetch",
                                        "cuStreamWriteValue", "cuStreamBatchMemOp"})
      other_work = other_work || (function.starts_with(work) && function != "cuLaunchHostFunc");
    return true;
  }

  /// Records a launch; returns its number and the watcher to call, or null if the launch is not kept.
  std::pair<std::size_t, LaunchWatcher*> record(CUpti_CallbackId id, const CUpti_CallbackData& info) {
    const std::scoped_lock lock(mutex);
    if (!watcher) return {};
    const auto number = count++;
    if (recorded.size() >= most) return {number, nullptr};
    auto call = read_call(id, info.functionParams);
    if (info.symbolName) call.launch.kernel = info.symbolName;
    recorded.push_back(std::move(call));
    return {number, watcher};
  }

  static void CUPTIAPI on_call(void* self, CUpti_CallbackDomain, CUpti_CallbackId id, const void* raw) {
    // CUPTI calls back before and after each call, on the thread that makes it. A watcher may launch kernels
    // itself (a cache sweep); those are not recorded, hence `inside`.
    static thread_local LaunchWatcher* notified = nullptr;
    static thread_local bool inside = false;
    const auto& info = *static_cast<const CUpti_CallbackData*>(raw);
    if (inside) return;
    inside = true;
    if (info.callbackSite == CUPTI_API_ENTER) {
      if (static_cast<State*>(self)->survey(info.functionName ? info.functionName : "")) {
        inside = false;
        return;
      }
      const auto [number, watcher] = static_cast<State*>(self)->record(id, info);
      notified = watcher;
      if (notified) notified->before_launch(number);
    } else if (auto* watcher = std::exchange(notified, nullptr)) {
      watcher->after_launch();
    }
    inside = false;
  }
};

LaunchLog::LaunchLog(const Cupti& cupti) : cupti_(cupti), state_(std::make_unique<State>()) {
  cupti.check(cupti.cuptiSubscribe(&state_->subscriber, State::on_call, state_.get()), "cuptiSubscribe");
  enable_launches();
}

void LaunchLog::enable_launches() {
  for (const auto id : kLaunches)
    cupti_.check(cupti_.cuptiEnableCallback(1, state_->subscriber, CUPTI_CB_DOMAIN_DRIVER_API, id),
                 "cuptiEnableCallback");
}

void LaunchLog::begin_survey() {
  cupti_.check(cupti_.cuptiEnableDomain(1, state_->subscriber, CUPTI_CB_DOMAIN_DRIVER_API),
               "cuptiEnableDomain");
  const std::scoped_lock lock(state_->mutex);
  state_->surveys = true;
  state_->surveyed = 0;
  state_->other_work = false;
}

bool LaunchLog::end_survey() {
  {
    const std::scoped_lock lock(state_->mutex);
    state_->surveys = false;
  }
  cupti_.check(cupti_.cuptiEnableDomain(0, state_->subscriber, CUPTI_CB_DOMAIN_DRIVER_API),
               "cuptiEnableDomain");
  // Disabling the domain disabled the launch callbacks too.
  enable_launches();
  const std::scoped_lock lock(state_->mutex);
  return state_->surveyed == 1 && !state_->other_work;
}

std::size_t LaunchLog::surveyed() const {
  const std::scoped_lock lock(state_->mutex);
  return state_->surveyed;
}

LaunchLog::~LaunchLog() {
  cupti_.cuptiUnsubscribe(state_->subscriber);
}

void LaunchLog::start(std::size_t most) {
  const std::scoped_lock lock(state_->mutex);
  state_->recorded.clear();
  state_->most = most;
  state_->count = 0;
}

void LaunchLog::watch(LaunchWatcher* watcher) {
  const std::scoped_lock lock(state_->mutex);
  state_->watcher = watcher;
}

std::size_t LaunchLog::count() const {
  const std::scoped_lock lock(state_->mutex);
  return state_->count;
}

std::vector<Launch> LaunchLog::stop() {
  std::vector<RecordedCall> recorded;
  // The driver is asked after the lock is released: its calls would come back to on_call.
  {
    const std::scoped_lock lock(state_->mutex);
    recorded = std::exchange(state_->recorded, {});
    state_->most = 0;
  }
  std::vector<Launch> launches;
  for (auto& [launch, launched] : recorded) {
    const auto function = as_function(launched);
    launch.registers = attribute(function, CU_FUNC_ATTRIBUTE_NUM_REGS);
    launch.static_shared = attribute(function, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
    launch.local = attribute(function, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
    launches.push_back(std::move(launch));
  }
  return launches;
}

}  // namespace ridgeline::cuda
