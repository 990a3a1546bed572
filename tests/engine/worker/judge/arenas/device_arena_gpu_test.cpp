// Buffers on a GPU: guards, poison, places, and what the judge finds in them, with a runner's view of them.
#include "engine/worker/judge/arenas/device_arena.hpp"

#include <ATen/core/Tensor.h>
#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <set>
#include <vector>

#include "benchmark_tasks/loader.hpp"
#include "engine/cuda/device.hpp"
#include "engine/verifier/buffers.hpp"
#include "engine/verifier/inputs.hpp"
#include "engine/verifier/poison.hpp"
#include "engine/verifier/torch_setup.hpp"
#include "tests/engine/cuda/device_bytes.hpp"
#include "tests/engine/worker/judge/judge_program.hpp"
#include "tests/places.hpp"

namespace ridgeline::judge {
namespace {

using cuda::Bytes, cuda::flip, cuda::get, cuda::put;

constexpr std::size_t kSlots = 3;
enum Argument : std::size_t { x, y, z };

Bytes bytes_of(const at::Tensor& tensor) {
  const auto here = tensor.cpu().contiguous();
  const auto* begin = static_cast<const std::uint8_t*>(here.const_data_ptr());
  return {begin, begin + here.nbytes()};
}

class DeviceArenaOnGpu : public testing::Test {
 protected:
  DeviceArenaOnGpu() {
    verifier::load_cuda_half(0);
    arena_.settle();
    for (std::size_t a = 0; a < arena_.arguments(); ++a)
      runners_.push_back(cuda::import_memory(arena_.descriptor(a), arena_.memory_bytes(a), 0, 0));
  }
  /// Where a runner sees it.
  CUdeviceptr data(std::size_t slot, std::size_t argument) const {
    return runners_[argument].address() + arena_.offset(slot, argument);
  }
  Bytes whole(std::size_t slot, std::size_t argument) const {
    return get(data(slot, argument), arena_.bytes(argument));
  }
  Bytes poison() const { return Bytes(arena_.bytes(z), verifier::poison_byte(DType::float32)); }
  Instance instance(InputSet set = InputSet::standard) const {
    return {std::make_shared<const verifier::InputStream>(task_, case_, set, 5), 17};
  }
  void fill(std::size_t slot, const Instance& with) {
    arena_.shift(slot);
    arena_.fill(slot, with);
    arena_.settle();
  }

  Task task_ = testcase_task("vector_add");
  const Case& case_ = *task_.find_case("ragged");
  cuda::PrimaryContext context_{0};
  DeviceTools tools_{0, 64 << 20, 1};
  DeviceArena arena_{task_, case_, kSlots, 11, tools_};
  std::vector<cuda::Mapping> runners_;
};

TEST_F(DeviceArenaOnGpu, EachArgumentHasItsOwnAllocationAndMovesWithinIt) {
  std::set<int> descriptors;
  for (std::size_t a = 0; a < arena_.arguments(); ++a) descriptors.insert(arena_.descriptor(a));
  EXPECT_EQ(descriptors.size(), 3u);
  std::set<std::size_t> places;
  for (int i = 0; i < 64; ++i) {
    arena_.shift(1);
    places.insert(arena_.offset(1, z));
    EXPECT_EQ(arena_.offset(1, z) % 512, 0u);
  }
  EXPECT_GT(places.size(), 8u);
}

TEST_F(DeviceArenaOnGpu, WholeDataMayBeWritten) {
  for (std::size_t slot = 0; slot < kSlots; ++slot)
    for (const auto a : {x, y, z}) put(data(slot, a), Bytes(arena_.bytes(a), 0x5a));
  EXPECT_FALSE(arena_.check_guards(0, kSlots));
}

TEST_F(DeviceArenaOnGpu, FreshMemoryHoldsNothingThatWasThere) {
  for (int turn = 0; turn < 8; ++turn) {
    {
      const auto before = cuda::make_shared_memory(std::size_t{64} << 20, 0);
      put(before.mapping.address(), Bytes(before.mapping.bytes(), 0x77));
    }
    DeviceArena fresh(task_, case_, kSlots, 12, tools_);  // its guards are not written yet
    for (std::size_t m = 0; m < fresh.memories(); ++m) {
      const auto seen = cuda::import_memory(fresh.descriptor(m), fresh.memory_bytes(m), 0, 0);
      EXPECT_EQ(get(seen.address(), seen.bytes()), Bytes(seen.bytes(), 0)) << m;
    }
  }
}

TEST_F(DeviceArenaOnGpu, DrawsInputsAfterItsMemoryWasFreed) {
  const auto drawn = instance();
  const auto before = bytes_of(arena_.inputs_of(drawn)[0]);
  const auto held = cuda::shared_bytes();
  arena_.let_go();
  EXPECT_LT(cuda::shared_bytes(), held);
  EXPECT_EQ(bytes_of(arena_.inputs_of(drawn)[0]), before);
}

TEST_F(DeviceArenaOnGpu, SealedInputsAreThoseThatWereDrawnAndLieInTheirSlotsUnderTheirKeysAlone) {
  for (const auto set : {InputSet::standard, InputSet::edge}) {  // by a kernel, and by torch's operators
    const auto drawn = instance(set);
    const std::vector<std::uint64_t> keys{7, 8, 9};
    for (std::size_t slot = 0; slot < kSlots; ++slot) {
      arena_.shift(slot);
      arena_.fill(slot, drawn);
    }
    arena_.settle_sealed(keys);
    EXPECT_FALSE(arena_.check_guards(0, kSlots));
    const auto inputs = arena_.inputs_of(drawn);
    for (std::size_t slot = 0; slot < kSlots; ++slot) {
      EXPECT_NE(whole(slot, x), bytes_of(inputs[0]));
      EXPECT_NE(whole(slot, y), bytes_of(inputs[1]));
      EXPECT_EQ(whole(slot, z), poison());
    }
    EXPECT_NE(whole(0, x), whole(1, x)) << "one instance under two keys";
    auto& sealing = tools_.sealing();
    for (std::size_t slot = 0; slot < kSlots; ++slot) {
      sealing.upload(std::array{cuda::DeviceRange{data(slot, x), arena_.bytes(x)},
                                cuda::DeviceRange{data(slot, y), arena_.bytes(y)}});
      sealing.set_key(keys[slot]);
      sealing.toggle(0, 2);
      sealing.wait();
      EXPECT_EQ(whole(slot, x), bytes_of(inputs[0]));
      EXPECT_EQ(whole(slot, y), bytes_of(inputs[1]));
    }
  }
}

TEST_F(DeviceArenaOnGpu, AByteWrittenOutsideIsFoundWithItsSideAndDistance) {
  for (const bool behind : {false, true})
    for (const std::size_t distance : {std::size_t{0}, std::size_t{5}, kGuardBytes - 1}) {
      arena_.shift(1);
      arena_.settle();
      ASSERT_FALSE(arena_.check_guards(0, kSlots));
      flip(behind ? data(1, z) + arena_.bytes(z) + distance : data(1, z) - 1 - distance);
      const auto damage = arena_.check_guards(0, kSlots);
      ASSERT_TRUE(damage) << behind << " " << distance;
      EXPECT_EQ(damage->argument, z);
      EXPECT_EQ(damage->behind, behind);
      EXPECT_EQ(damage->distance, distance);
      EXPECT_TRUE(arena_.check_guards(1));
      EXPECT_FALSE(arena_.check_guards(0)) << "other slots are untouched";
      EXPECT_FALSE(arena_.check_guards(2)) << "other slots are untouched";
    }
}

TEST_F(DeviceArenaOnGpu, FillingWritesInputsAndPoison) {
  const auto inputs = verifier::draw_inputs(task_, case_, InputSet::standard, 3);
  const std::vector<at::Tensor> there = {inputs[0].to(at::kCUDA), inputs[1].to(at::kCUDA)};
  for (const auto& from : {inputs, there}) {
    put(data(0, z), Bytes(arena_.bytes(z), 0));
    arena_.fill(0, from);
    arena_.settle();
    EXPECT_EQ(whole(0, x), bytes_of(inputs[0]));
    EXPECT_EQ(whole(0, y), bytes_of(inputs[1]));
    EXPECT_EQ(whole(0, z), poison());
    EXPECT_FALSE(arena_.check_guards(0, kSlots));
  }
}

TEST_F(DeviceArenaOnGpu, AnInstanceHasTheSameValuesInSlotsReferenceAndViews) {
  for (const auto set : {InputSet::standard, InputSet::outlier, InputSet::edge}) {
    const auto one = instance(set);
    fill(2, one);
    const auto rebuilt = one.stream->rebuild(one.number);
    const auto apart = arena_.inputs_of(one), views = arena_.view_inputs(2);
    for (const auto a : {x, y}) {
      EXPECT_EQ(whole(2, a), bytes_of(rebuilt[a]));
      EXPECT_EQ(bytes_of(apart[a]), bytes_of(rebuilt[a]));
      EXPECT_EQ(bytes_of(views[a]), bytes_of(rebuilt[a]));
    }
    EXPECT_EQ(whole(2, z), poison());
    EXPECT_FALSE(arena_.check_guards(0, kSlots));
  }
}

TEST_F(DeviceArenaOnGpu, AChangedInputIsNamed) {
  for (const auto set : {InputSet::standard, InputSet::edge}) {
    const auto one = instance(set);
    const auto here = one.stream->rebuild(one.number), there = arena_.inputs_of(one);
    fill(0, one);
    const auto changed = [&](const auto& inputs) {
      return arena_.inspect({.filled = FilledSlot{0, &inputs}}).changed_input;
    };
    const auto said = [&] { return std::set{changed(one), changed(here), changed(there)}; };
    EXPECT_EQ(said(), std::set{std::optional<std::string>()});
    flip(data(0, y) + arena_.bytes(y) - 1);
    EXPECT_EQ(said(), std::set{std::optional<std::string>("y")});
    flip(data(0, x));
    EXPECT_EQ(said(), std::set{std::optional<std::string>("x")});
  }
}

TEST_F(DeviceArenaOnGpu, FindsOutputsThatNobodyWrote) {
  Random random(1);
  for (std::size_t slot = 0; slot < kSlots; ++slot) fill(slot, instance());
  const auto unwritten = [&](std::size_t first, std::size_t count) {
    return arena_.inspect({.first = first, .count = count, .places = &random}).unwritten;
  };
  EXPECT_EQ(unwritten(0, kSlots), "z");
  put(data(0, z), Bytes(arena_.bytes(z), 0));
  EXPECT_EQ(unwritten(0, kSlots), "z") << "of slots 1 and 2";
  EXPECT_FALSE(unwritten(0, 1));
}

TEST_F(DeviceArenaOnGpu, KnowsWhetherSomebodyWroteAnOutputOfAFilledSlot) {
  Random random(1);
  for (std::size_t slot = 0; slot < kSlots; ++slot) fill(slot, instance());
  EXPECT_TRUE(arena_.settle_and_check_outputs(0, kSlots, random));
  put(data(1, z), Bytes(arena_.bytes(z), 0));
  EXPECT_FALSE(arena_.settle_and_check_outputs(0, kSlots, random));
  EXPECT_TRUE(arena_.settle_and_check_outputs(2, 1, random));
}

TEST_F(DeviceArenaOnGpu, ACopiedOutputIsNotChangedByLaterWrites) {
  const auto written = cuda::random_bytes(arena_.bytes(z), 4);
  put(data(1, z), written);
  const auto snapshot = arena_.inspect({.first = 1, .copied = {1}}).copies.front();
  ASSERT_EQ(snapshot.size(), 1u);
  EXPECT_TRUE(snapshot[0].is_cuda()) << "an elementwise task is judged there";
  EXPECT_EQ(snapshot[0].numel(), 1031);
  put(data(1, z), Bytes(arena_.bytes(z), 0));
  EXPECT_EQ(bytes_of(snapshot[0]), written);
}

TEST_F(DeviceArenaOnGpu, EmptyingTheCachesChangesNoByte) {
  fill(0, instance());
  const auto before = whole(0, x);
  arena_.flush(0);
  arena_.settle();
  EXPECT_EQ(whole(0, x), before);
  EXPECT_FALSE(arena_.check_guards(0, kSlots));
}

/// Tasks whose inputs are matrices or rows, which torch's operators draw on the device.
class DrawnWholeOnGpu : public testing::TestWithParam<const char*> {};

TEST_P(DrawnWholeOnGpu, SlotsReferenceAndChecksDrawTheSameAndNoTwoInstancesAreAlike) {
  const cuda::PrimaryContext context(0);
  verifier::load_cuda_half(0);
  DeviceTools tools(0, 64 << 20, 1);
  const auto task = benchmark_tasks::load_task(places::sources() / "benchmark_tasks" / GetParam());
  const auto& one = *task.find_case("ragged");
  DeviceArena arena(task, one, 2, 11, tools);
  const auto stream = std::make_shared<const verifier::InputStream>(task, one, InputSet::standard, 5);
  const std::vector<Instance> instances{{stream, 17}, {stream, 18}};
  for (std::size_t slot = 0; slot < 2; ++slot) arena.fill(slot, instances[slot]);
  arena.settle();
  const auto apart = arena.inputs_of(instances);
  for (std::size_t slot = 0; slot < 2; ++slot) {
    const auto views = arena.view_inputs(slot);
    for (std::size_t input = 0; input < views.size(); ++input) {
      EXPECT_EQ(bytes_of(views[input]), bytes_of(apart[slot][input])) << input;
      EXPECT_NE(bytes_of(views[input]), bytes_of(apart[1 - slot][input])) << input;
    }
    const auto changed = [&] {
      return arena.inspect({.first = slot, .filled = FilledSlot{slot, &instances[slot]}}).changed_input;
    };
    EXPECT_FALSE(changed());
    std::size_t whole = 0;
    while (whole < views.size() && stream->generation(17, whole)) ++whole;
    ASSERT_LT(whole, views.size()) << "this task's inputs are independent numbers";
    flip(address_of(views[whole]) + views[whole].nbytes() - 1);
    EXPECT_EQ(changed(), verifier::arguments_of(task)[whole]->name);
  }
}

INSTANTIATE_TEST_SUITE_P(Tasks, DrawnWholeOnGpu,
                         testing::Values("LinearAlgebra/cholesky.yaml", "LinearAlgebra/det.yaml",
                                         "LinearAlgebra/qr.yaml", "Index/scatter.yaml", "Loss/kl_div.yaml",
                                         "Normalization/symmetric_matrix_vector_norm.yaml"));

}  // namespace
}  // namespace ridgeline::judge
