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

// How the arguments of these calls begin, as generated_cuda_meta.h lays them out; that header does not
// compile beside cuda.h alone.
struct PlainLaunch {  // cuLaunchKernel, cuLaunchCooperativeKernel
  CUfunction function;
  unsigned grid[3], block[3];
  unsigned shared_bytes;
};
struct ConfiguredLaunch {  // cuLaunchKernelEx
  const CUlaunchConfig* config;
  CUfunction function;
};

struct Seen {
  Launch launch;
  CUfunction function = nullptr;
};

Seen from_plain(const void* raw) {
  const auto& call = *static_cast<const PlainLaunch*>(raw);
  Seen seen;
  seen.launch.grid = {call.grid[0], call.grid[1], call.grid[2]};
  seen.launch.block = {call.block[0], call.block[1], call.block[2]};
  seen.launch.dynamic_shared = call.shared_bytes;
  seen.function = call.function;
  return seen;
}

Seen from_config(const void* raw) {
  const auto& call = *static_cast<const ConfiguredLaunch*>(raw);
  Seen seen;
  seen.function = call.function;
  if (!call.config) return seen;
  const auto& config = *call.config;
  seen.launch.grid = {config.gridDimX, config.gridDimY, config.gridDimZ};
  seen.launch.block = {config.blockDimX, config.blockDimY, config.blockDimZ};
  seen.launch.dynamic_shared = config.sharedMemBytes;
  return seen;
}

Seen seen_in(CUpti_CallbackId id, const void* arguments) {
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
      Seen seen;
      seen.launch.graph = true;
      return seen;
    }
  }
}

/// What is launched is a function of a module, or a kernel of a library, as the runtime's are: the driver
/// takes both under one type, and tells attributes of the first alone.
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
  std::vector<Seen> seen;
  std::size_t most = 0;
  std::size_t count = 0;
  LaunchWatcher* watcher = nullptr;
  bool surveys = false;
  std::size_t surveyed = 0;  // launches of kernels
  bool other_work = false;   // and what else was asked of the device

  /// Whether a survey is under way, which notes nothing else.
  bool survey(std::string_view function) {
    const std::scoped_lock lock(mutex);
    if (!surveys) return false;
    for (const std::string_view one : {"cuLaunchKernel", "cuLaunchKernelEx", "cuLaunchCooperativeKernel"})
      if (function == one || function == std::string(one) + "_ptsz") {
        ++surveyed;
        return true;
      }
    for (const std::string_view work : {"cuLaunch", "cuGraphLaunch", "cuMemcpy", "cuMemset", "cuMemPrefetch",
                                        "cuStreamWriteValue", "cuStreamBatchMemOp"})
      other_work = other_work || (function.starts_with(work) && function != "cuLaunchHostFunc");
    return true;
  }

  /// The launch's number and who is to be told, if anybody.
  std::pair<std::size_t, LaunchWatcher*> note(CUpti_CallbackId id, const CUpti_CallbackData& info) {
    const std::scoped_lock lock(mutex);
    if (!watcher) return {};
    const auto number = count++;
    if (seen.size() >= most) return {number, nullptr};
    auto one = seen_in(id, info.functionParams);
    if (info.symbolName) one.launch.kernel = info.symbolName;
    seen.push_back(std::move(one));
    return {number, watcher};
  }

  static void CUPTIAPI on_call(void* self, CUpti_CallbackDomain, CUpti_CallbackId id, const void* raw) {
    static thread_local LaunchWatcher* told = nullptr;  // what a watcher itself launches is nobody's
    static thread_local bool inside = false;
    const auto& info = *static_cast<const CUpti_CallbackData*>(raw);
    if (inside) return;
    inside = true;
    if (info.callbackSite == CUPTI_API_ENTER) {
      if (static_cast<State*>(self)->survey(info.functionName ? info.functionName : "")) {
        inside = false;
        return;
      }
      const auto [number, watcher] = static_cast<State*>(self)->note(id, info);
      told = watcher;
      if (told) told->launches(number);
    } else if (auto* watcher = std::exchange(told, nullptr)) {
      watcher->launched();
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
  enable_launches();
  const std::scoped_lock lock(state_->mutex);
  return state_->surveyed == 1 && !state_->other_work;
}

LaunchLog::~LaunchLog() {
  cupti_.cuptiUnsubscribe(state_->subscriber);
}

void LaunchLog::start(std::size_t most) {
  const std::scoped_lock lock(state_->mutex);
  state_->seen.clear();
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
  std::vector<Seen> seen;
  {
    const std::scoped_lock lock(state_->mutex);
    seen = std::exchange(state_->seen, {});
    state_->most = 0;
  }
  std::vector<Launch> launches;
  for (auto& [launch, launched] : seen) {
    const auto function = as_function(launched);
    launch.registers = attribute(function, CU_FUNC_ATTRIBUTE_NUM_REGS);
    launch.static_shared = attribute(function, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES);
    launch.local = attribute(function, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES);
    launches.push_back(std::move(launch));
  }
  return launches;
}

}  // namespace ridgeline::cuda
