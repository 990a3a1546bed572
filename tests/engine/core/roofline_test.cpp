// A CPU's roof by levels of memory, on an invented machine.
#include "engine/core/roofline.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/core/codec.hpp"
#include "engine/core/work.hpp"

namespace ridgeline {
namespace {

Ceilings machine() {
  Ceilings c;
  c.device = "a CPU, 1 thread";
  c.bandwidth = 60e9;
  c.cache_bytes = 32e6;
  c.peaks = {{"fp32", 100e9}};
  c.levels = {{.name = "L1", .bytes = 40e3, .read = 400e9, .written = 200e9, .both = 450e9},
              {.name = "L2", .bytes = 1e6, .read = 200e9, .written = 200e9, .both = 250e9},
              {.name = "L3", .bytes = 32e6, .read = 100e9, .written = 100e9, .both = 120e9},
              {.name = "memory", .bytes = 0, .read = 40e9, .written = 40e9, .both = 60e9}};
  return c;
}

TEST(Roofline, CountsAnOperandUpdatedInPlaceOnceIfTheCacheHoldsIt) {
  // Stochastic gradient descent: a gradient is read, parameters and momenta are updated, 4 MB each.
  const Work step{.operations = 3e6, .bytes = 20e6, .read = 4e6, .updated = 8e6};
  const auto traffic = cold_traffic(machine(), step);
  EXPECT_DOUBLE_EQ(traffic.read, 12e6);
  EXPECT_DOUBLE_EQ(traffic.written, 0);
  const auto at = place_on_roofline(machine(), DType::float32, step, 330e-6);
  EXPECT_NEAR(at.bandwidth_share, 12e6 / 40e9 / 330e-6, 1e-9);
  EXPECT_DOUBLE_EQ(at.bytes, 12e6) << "what the share is of";
  EXPECT_NEAR(at.roof_seconds, 300e-6, 1e-12);
}

TEST(Roofline, CountsTheWriteBackOfOperandsThatNoCacheHolds) {
  const Work step{.operations = 3e6, .bytes = 200e6, .read = 40e6, .updated = 80e6};
  const auto traffic = cold_traffic(machine(), step);
  EXPECT_DOUBLE_EQ(traffic.read, 120e6);
  EXPECT_DOUBLE_EQ(traffic.written, 80e6);
  EXPECT_NEAR(memory_seconds(machine(), traffic), 200e6 / 60e9, 1e-9);
}

TEST(Roofline, ReadsWritesAndTheirSumEachHaveACeiling) {
  EXPECT_DOUBLE_EQ(memory_seconds(machine(), {.read = 4e6, .written = 1e3}), 100e-6);
  EXPECT_DOUBLE_EQ(memory_seconds(machine(), {.read = 0, .written = 4e6}), 100e-6);
  EXPECT_DOUBLE_EQ(memory_seconds(machine(), {.read = 3e6, .written = 3e6}), 100e-6);
  auto card = machine();
  card.levels.clear();
  EXPECT_DOUBLE_EQ(memory_seconds(card, {.read = 3e6, .written = 3e6}), 100e-6) << "one figure for all";
}

TEST(Roofline, CountsOnlyTheBytesThatAGatherTouches) {
  const Work gather{.operations = 0, .bytes = 2e6, .read = 99e6, .written = 1e6};
  const auto traffic = cold_traffic(machine(), gather);
  EXPECT_DOUBLE_EQ(traffic.sum(), 2e6);
}

TEST(Roofline, NoCallIsFasterThanItsRoof) {
  const Work copy{.operations = 1e6, .bytes = 6e6, .read = 3e6, .written = 3e6};
  const auto noise = place_on_roofline(machine(), DType::float32, copy, 97e-6);
  EXPECT_NEAR(noise.bandwidth_share, 1.031, 1e-3) << "as much as measuring errs";
  const auto skips = place_on_roofline(machine(), DType::float32, copy, 50e-6);
  EXPECT_DOUBLE_EQ(skips.bandwidth_share, 1);
  EXPECT_DOUBLE_EQ(skips.efficiency, 1);
  EXPECT_DOUBLE_EQ(skips.roof_seconds, 50e-6);
  EXPECT_DOUBLE_EQ(skips.headroom_seconds, 0);
  EXPECT_DOUBLE_EQ(part_in_time(skips, machine(), DType::float32, copy), 0.5);
  const Work product{.operations = 1e9, .bytes = 1e3};
  const auto algebra = place_on_roofline(machine(), DType::float32, product, 4e-3);
  EXPECT_EQ(algebra.bound, Bound::compute);
  EXPECT_DOUBLE_EQ(algebra.compute_share, 1);
  EXPECT_DOUBLE_EQ(part_in_time(algebra, machine(), DType::float32, product), 0.4);
}

TEST(Roofline, WithoutATimeNothingIsClaimed) {
  const Work work{.operations = 1, .bytes = 1e6};
  const auto at = place_on_roofline(machine(), DType::float32, work, 0);
  EXPECT_DOUBLE_EQ(at.bandwidth_share, 0);
  EXPECT_DOUBLE_EQ(part_in_time(at, machine(), DType::float32, work), 1);
}

TEST(Caches, CompareAHotTimeWithTheLevelThatHoldsItsOperands) {
  const Work sum{.operations = 1e6, .bytes = 20e3, .read = 20e3};
  const auto near = place_in_caches(machine(), sum, 20e3, 100e-9);
  ASSERT_TRUE(near);
  EXPECT_EQ(near->level, "L1");
  EXPECT_DOUBLE_EQ(near->share, 0.5);
  EXPECT_EQ(place_in_caches(machine(), sum, 0.9e6, 1e-6)->level, "L2");
  EXPECT_EQ(place_in_caches(machine(), sum, 9e6, 1e-6)->level, "L3");
  EXPECT_EQ(place_in_caches(machine(), sum, 90e6, 1e-6)->level, "memory");
}

TEST(Caches, ServeTheirSizeOfBytesAtTheirOwnRate) {
  // 2 MB: half of it could always be in the L2, so that the L3's rate alone is no bound.
  const Work sum{.operations = 1e6, .bytes = 2e6, .read = 2e6};
  const double least = 2e6 * (0.02 / 400e9 + 0.48 / 200e9 + 0.5 / 100e9);
  EXPECT_NEAR(place_in_caches(machine(), sum, 2e6, 2 * least)->share, 0.5, 1e-9);
}

TEST(Caches, SayNothingWithoutMeasuredLevels) {
  auto card = machine();
  card.levels.clear();
  EXPECT_FALSE(place_in_caches(card, {.operations = 1, .bytes = 8, .read = 8}, 8, 1e-6));
}

TEST(Ceilings, WrittenBeforeLevelsWereMeasuredCanBeRead) {
  const nlohmann::json written = machine();
  const auto again = written.get<Ceilings>();
  ASSERT_EQ(again.levels.size(), 4u);
  EXPECT_EQ(again.levels[2].name, "L3");
  EXPECT_DOUBLE_EQ(again.levels[2].both, 120e9);
  auto old = written;
  old.erase("levels");
  EXPECT_TRUE(old.get<Ceilings>().levels.empty());
}

TEST(Work, OperandsAreCountedByTheirRole) {
  Task task;
  task.sizes = {"N"};
  const auto of = [](const char* name, Role role) {
    return Tensor{name, DType::float32, role, {Expression::parse("N")}, {}, ""};
  };
  task.parameters = {of("grad", Role::in), of("weights", Role::inout), of("norm", Role::out)};
  task.operations = Expression::parse("2*N");
  task.bytes = Expression::parse("16*N");
  const auto work = work_of(task, {{"N", 10}});
  EXPECT_DOUBLE_EQ(work.operations, 20);
  EXPECT_DOUBLE_EQ(work.bytes, 160);
  EXPECT_DOUBLE_EQ(work.read, 40);
  EXPECT_DOUBLE_EQ(work.updated, 40);
  EXPECT_DOUBLE_EQ(work.written, 40);
}

}  // namespace
}  // namespace ridgeline
