#include "engine/cuda/device.hpp"

#include <array>
#include <cctype>
#include <cstdio>

#include "engine/core/error.hpp"
#include "engine/cuda/driver.hpp"

namespace ridgeline::cuda {
namespace {

CUdevice device_at(int index) {
  CUdevice device = 0;
  check(driver().cuDeviceGet(&device, index), "cuDeviceGet");
  return device;
}

int attribute(CUdevice device, CUdevice_attribute which) {
  int value = 0;
  driver().cuDeviceGetAttribute(&value, which,
                                device);  // an attribute that an old driver does not know stays 0
  return value;
}

MultiprocessorLimits multiprocessor_limits(CUdevice device) {
  MultiprocessorLimits limits;
  const int warp = attribute(device, CU_DEVICE_ATTRIBUTE_WARP_SIZE);
  if (warp > 0) limits.warps = attribute(device, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR) / warp;
  limits.blocks = attribute(device, CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR);
  limits.registers = attribute(device, CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR);
  limits.shared = attribute(device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
  limits.reserved_shared = attribute(device, CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
  return limits;
}

std::string uuid_text(CUdevice device) {
  CUuuid uuid{};
  if (driver().cuDeviceGetUuid(&uuid, device) != CUDA_SUCCESS) return {};
  std::string text = "GPU-";
  for (int i = 0; i < 16; ++i) {
    char hex[4];
    std::snprintf(hex, sizeof hex, "%02x", static_cast<unsigned char>(uuid.bytes[i]));
    text += hex;
    // The dashes of a UUID (8-4-4-4-12), as nvidia-smi prints it and NVML expects it.
    if (i == 3 || i == 5 || i == 7 || i == 9) text += '-';
  }
  return text;
}

}  // namespace

int device_count() {
  int count = 0;
  check(driver().cuDeviceGetCount(&count), "cuDeviceGetCount");
  return count;
}

DeviceFacts device_facts(int index) {
  if (index < 0 || index >= device_count())
    throw MachineCannot("there is no CUDA device " + std::to_string(index) + "; this machine has " +
                        std::to_string(device_count()));
  const auto device = device_at(index);
  DeviceFacts facts;
  std::array<char, 256> name{};
  check(driver().cuDeviceGetName(name.data(), static_cast<int>(name.size()), device), "cuDeviceGetName");
  facts.name = name.data();
  facts.uuid = uuid_text(device);
  std::array<char, 32> bus{};
  if (driver().cuDeviceGetPCIBusId(bus.data(), static_cast<int>(bus.size()), device) == CUDA_SUCCESS)
    facts.bus_id = bus.data();
  for (char& digit : facts.bus_id)  // as sysfs has it; the driver writes capitals
    digit = static_cast<char>(std::tolower(static_cast<unsigned char>(digit)));
  facts.index = index;
  facts.major = attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
  facts.minor = attribute(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  facts.multiprocessors = attribute(device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  facts.clock = 1e3 * attribute(device, CU_DEVICE_ATTRIBUTE_CLOCK_RATE);
  facts.multiprocessor = multiprocessor_limits(device);
  facts.l2_bytes = static_cast<std::size_t>(attribute(device, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE));
  check(driver().cuDeviceTotalMem(&facts.memory_bytes, device), "cuDeviceTotalMem");
  driver().cuDriverGetVersion(&facts.driver_version);
  const double kilohertz = attribute(device, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE);
  const double bits = attribute(device, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
  facts.theoretical_bandwidth =
      2 * kilohertz * 1e3 * bits / 8;  // memory transfers twice a clock (double data rate)
  return facts;
}

PrimaryContext::PrimaryContext(int index) : index_(index), device_(device_at(index)) {
  check(driver().cuDevicePrimaryCtxRetain(&context_, device_), "retaining the device's context");
  make_current();
}

void PrimaryContext::make_current() const {
  check(driver().cuCtxSetCurrent(context_), "cuCtxSetCurrent");
}

PrimaryContext::~PrimaryContext() {
  driver().cuDevicePrimaryCtxRelease(device_);
}

}  // namespace ridgeline::cuda
