// Loads CUDA's driver at run time, so that one set of binaries serves machines with and without a GPU.
//
// `driver()` loads libcuda.so.1 at the first call and initialises it, for the life of the process.
// Thread-safe.
#pragma once

#include <cuda.h>

#include <string>

namespace ridgeline::cuda {

/// The driver's functions under their own names, in the versions that cuda.h names at build time: cuMemAlloc
/// is cuMemAlloc_v2.
struct Driver {
  // clang-format off
#define RIDGELINE_CUDA_FUNCTIONS(F) \
  F(cuInit) F(cuGetErrorName) F(cuGetErrorString) F(cuDriverGetVersion) F(cuDeviceGet) \
  F(cuDeviceGetCount) F(cuDeviceGetName) F(cuDeviceGetAttribute) F(cuDeviceTotalMem) \
  F(cuDeviceGetUuid) F(cuDeviceGetPCIBusId) \
  F(cuDevicePrimaryCtxRetain) F(cuDevicePrimaryCtxRelease) F(cuCtxSetCurrent) F(cuCtxGetCurrent) \
  F(cuCtxSynchronize) F(cuCtxResetPersistingL2Cache) F(cuMemAlloc) F(cuMemGetInfo) F(cuMemFree) F(cuMemcpyHtoD) \
  F(cuMemcpyDtoH) F(cuMemcpyDtoDAsync) F(cuMemcpyHtoDAsync) F(cuMemcpyDtoHAsync) F(cuMemHostAlloc) F(cuMemFreeHost) \
  F(cuMemHostRegister) F(cuMemHostGetDevicePointer) \
  F(cuMemCreate) F(cuMemRelease) F(cuMemAddressReserve) F(cuMemAddressFree) \
  F(cuMemMap) F(cuMemUnmap) F(cuMemSetAccess) F(cuMemGetAllocationGranularity) \
  F(cuMemExportToShareableHandle) F(cuMemImportFromShareableHandle) F(cuModuleLoadData) \
  F(cuModuleUnload) F(cuModuleGetFunction) F(cuLaunchKernel) F(cuStreamCreate) F(cuStreamDestroy) \
  F(cuStreamSynchronize) F(cuStreamQuery) F(cuEventCreate) F(cuEventDestroy) F(cuEventRecord) F(cuEventElapsedTime) F(cuFuncGetAttribute) \
  F(cuKernelGetFunction) F(cuStreamBeginCapture) F(cuStreamEndCapture) F(cuGraphGetNodes) F(cuGraphDestroy) \
  F(cuGraphInstantiateWithFlags) F(cuGraphUpload) F(cuGraphLaunch) F(cuGraphExecDestroy)
// clang-format on
#define RIDGELINE_CUDA_MEMBER(name) decltype(&::name) name = nullptr;
  RIDGELINE_CUDA_FUNCTIONS(RIDGELINE_CUDA_MEMBER)
#undef RIDGELINE_CUDA_MEMBER
  // Since CUDA 12.5; null in older drivers.
  CUresult (*cuCtxRecordEvent)(CUcontext, CUevent) = nullptr;
  CUresult (*cuCtxWaitEvent)(CUcontext, CUevent) = nullptr;
};

/// Returns the loaded driver. Throws MachineCannot where there is no driver, where it lacks a function above,
/// or where it does not start: what failed, and how to fix it. The next call tries again.
const Driver& driver();

/// Describes a result: "CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered". Throws as
/// `driver` does, whose functions it asks.
std::string error_text(CUresult result);

/// Throws MachineCannot, "<what>: <error_text>", unless `result` is success. `what` names the failed call.
void check(CUresult result, const char* what);

}  // namespace ridgeline::cuda
