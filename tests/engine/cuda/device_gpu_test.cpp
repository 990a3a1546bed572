// Facts of a device, and device memory that two sides map.
#include "engine/cuda/device.hpp"

#include <gmock/gmock.h>

#include <optional>

#include "device_bytes.hpp"
#include "engine/core/error.hpp"
#include "engine/cuda/monitor.hpp"
#include "engine/cuda/nvrtc.hpp"
#include "engine/cuda/shared_memory.hpp"

namespace ridgeline::cuda {
namespace {

TEST(DeviceOnGpu, ReportsTheFactsOfTheDevice) {
  ASSERT_GE(device_count(), 1);
  const auto facts = device_facts(0);
  EXPECT_FALSE(facts.name.empty());
  EXPECT_THAT(facts.uuid, testing::MatchesRegex("GPU-[0-9a-f-]+"));
  EXPECT_GE(facts.major, 7);
  EXPECT_GT(facts.multiprocessors, 0);
  EXPECT_GT(facts.clock, 0.3e9);
  EXPECT_LT(facts.clock, 4e9);
  EXPECT_GE(facts.multiprocessor.warps, 32);
  EXPECT_GE(facts.multiprocessor.blocks, 16);
  EXPECT_GE(facts.multiprocessor.registers, 65536);
  EXPECT_GE(facts.multiprocessor.shared, 64 << 10);
  EXPECT_GT(facts.memory_bytes, std::size_t{1} << 30);
  EXPECT_GT(facts.l2_bytes, std::size_t{1} << 20);
  EXPECT_GE(facts.driver_version, 12000);
  EXPECT_GT(facts.theoretical_bandwidth, 1e11);
}

TEST(DeviceOnGpu, RefusesAnIndexWithoutADevice) {
  EXPECT_THROW(device_facts(device_count()), MachineCannot);
  EXPECT_THROW(PrimaryContext{device_count()}, MachineCannot);
}

TEST(MonitorOnGpu, ReadsTheStateOfTheDevice) {
  const Monitor monitor(device_facts(0).uuid);
  EXPECT_EQ(monitor.why_not(), "");
  const auto state = monitor.now();
  ASSERT_TRUE(state);
  EXPECT_GT(state->temperature, 5);
  EXPECT_LT(state->temperature, 120);
  EXPECT_GT(state->power, 1);
  EXPECT_LT(state->power, 3000);
}

TEST(NvrtcOnGpu, CompilesForTheDeviceAndReportsCompilerErrors) {
  const auto facts = device_facts(0);
  EXPECT_FALSE(
      compile("extern \"C\" __global__ void k(int* x) { *x = 1; }", facts.major, facts.minor).empty());
  try {
    compile("__global__ void k() { undeclared(); }", facts.major, facts.minor);
    FAIL() << "it compiled";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("undeclared"));
  }
}

class SharedMemoryOnGpu : public testing::Test {
 protected:
  PrimaryContext context_{0};
};

TEST_F(SharedMemoryOnGpu, BothSidesSeeTheSameBytes) {
  const auto made = make_shared_memory(100'000, 0);
  ASSERT_GE(made.mapping.bytes(), 100'000u);
  const auto imported = import_memory(made.descriptor.get(), made.mapping.bytes(), 0, 0);
  EXPECT_NE(imported.address(), made.mapping.address());
  const auto first = random_bytes(100'000, 1), second = random_bytes(100'000, 2);
  put(made.mapping.address(), first);
  EXPECT_TRUE(get(imported.address(), first.size()) == first);
  put(imported.address(), second);
  EXPECT_TRUE(get(made.mapping.address(), second.size()) == second);
}

TEST_F(SharedMemoryOnGpu, StaysWhileOneSideMapsIt) {
  std::optional<SharedMemory> made = make_shared_memory(4096, 0);
  const auto imported = import_memory(made->descriptor.get(), made->mapping.bytes(), 0, 0);
  const auto bytes = random_bytes(4096, 3);
  put(made->mapping.address(), bytes);
  made.reset();
  EXPECT_EQ(get(imported.address(), bytes.size()), bytes);
}

TEST_F(SharedMemoryOnGpu, GuardsAreNotMapped) {
  const auto made = make_shared_memory(4096, 0);
  const auto bytes = made.mapping.bytes();
  const auto imported = import_memory(made.descriptor.get(), bytes, 0, bytes);
  put(imported.address(), Bytes(bytes, 7));
  std::uint8_t byte = 0;
  EXPECT_NE(driver().cuMemcpyDtoH(&byte, imported.address() - 1, 1), CUDA_SUCCESS);
  EXPECT_NE(driver().cuMemcpyDtoH(&byte, imported.address() + bytes, 1), CUDA_SUCCESS);
}

TEST_F(SharedMemoryOnGpu, RefusesMoreMemoryThanTheDeviceHas) {
  EXPECT_THROW(make_shared_memory(2 * device_facts(0).memory_bytes, 0), MachineCannot);
}

}  // namespace
}  // namespace ridgeline::cuda
