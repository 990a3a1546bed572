// Buffers: guards, places, seals.
#include "engine/worker/judge/arenas/host_arena.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <set>

#include "engine/verifier/inputs.hpp"
#include "tests/engine/worker/judge/judge_program.hpp"

namespace ridgeline::judge {
namespace {

class ArenaTest : public testing::Test {
 protected:
  Task task_ = testcase_task("vector_add");
  const Case& case_ = *task_.find_case("ragged");
  HostArena arena_{task_, case_, 3, 11};
};

TEST_F(ArenaTest, EachArgumentHasItsOwnFile) {
  std::set<int> descriptors;
  for (std::size_t a = 0; a < arena_.arguments(); ++a) descriptors.insert(arena_.descriptor(a));
  EXPECT_EQ(descriptors.size(), 3u);
  EXPECT_EQ(arena_.bytes(0), 1031u * 4);
  EXPECT_EQ(slot_bytes(task_, case_), arena_.bytes_per_slot());
}

TEST_F(ArenaTest, FilesCanNeitherShrinkNorGrow) {
  const int fd = arena_.descriptor(0);
  EXPECT_EQ(::ftruncate(fd, 0), -1);
  EXPECT_EQ(errno, EPERM);
  EXPECT_EQ(::ftruncate(fd, 1 << 30), -1);
  EXPECT_EQ(::fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE), -1);
}

TEST_F(ArenaTest, DataMovesWithEveryFillingAndStaysAligned) {
  std::set<std::size_t> places;
  for (int i = 0; i < 64; ++i) {
    arena_.shift(1);
    places.insert(arena_.offset(1, 2));
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(arena_.data(1, 2)) % 64, 0u);
  }
  EXPECT_GT(places.size(), 8u);
}

TEST_F(ArenaTest, WholeDataMayBeWritten) {
  for (std::size_t a = 0; a < arena_.arguments(); ++a)
    for (std::size_t slot = 0; slot < arena_.slots(); ++slot)
      std::memset(arena_.data(slot, a), 0x5a, arena_.bytes(a));
  for (std::size_t slot = 0; slot < arena_.slots(); ++slot) EXPECT_FALSE(arena_.check_guards(slot));
}

TEST_F(ArenaTest, AByteWrittenOnEitherSideIsFound) {
  for (const bool behind : {false, true}) {
    arena_.shift(0);
    std::byte* at = behind ? arena_.data(0, 2) + arena_.bytes(2) : arena_.data(0, 2) - 1;
    *at = ~*at;
    const auto damage = arena_.check_guards(0);
    ASSERT_TRUE(damage);
    EXPECT_EQ(damage->argument, 2u);
    EXPECT_EQ(damage->behind, behind);
    EXPECT_EQ(damage->distance, 0u);
    EXPECT_NE(describe(*damage, task_).find("`z`"), std::string::npos);
    EXPECT_FALSE(arena_.check_guards(1)) << "other slots are untouched";
  }
}

TEST_F(ArenaTest, AByteWrittenAtTheFarEndOfAGuardIsFound) {
  std::byte* at = arena_.data(0, 0) + arena_.bytes(0) + kGuardBytes - 1;
  *at = ~*at;
  EXPECT_TRUE(arena_.check_guards(0));
}

TEST_F(ArenaTest, NothingOfAnEarlierRunnerIsLeftOnceItIsCleared) {
  const auto in_use = [&] {
    std::size_t count = 0;
    for (std::size_t m = 0; m < arena_.memories(); ++m) {
      std::vector<std::byte> seen(arena_.memory_bytes(m));
      EXPECT_EQ(::pread(arena_.descriptor(m), seen.data(), seen.size(), 0),
                static_cast<ssize_t>(seen.size()));
      for (const auto byte : seen) count += byte != std::byte{0} ? 1 : 0;
    }
    return count;
  };
  for (std::size_t m = 0; m < arena_.memories(); ++m)
    for (std::size_t at = 0; at < arena_.memory_bytes(m); ++at)
      ASSERT_EQ(::pwrite(arena_.descriptor(m), "w", 1, static_cast<off_t>(at)), 1);
  EXPECT_GT(in_use(), 0u);
  arena_.clear();
  EXPECT_EQ(in_use(), 0u) << "between the slots, too";
  for (std::size_t slot = 0; slot < arena_.slots(); ++slot) arena_.shift(slot);
  EXPECT_FALSE(arena_.check_guards(0, arena_.slots()));
}

/// Inspects slot 0 as if its call had ended, while slots 1 and 2 still wait for theirs.
class InspectedSlots : public ArenaTest {
 protected:
  void SetUp() override {
    for (std::size_t slot = 0; slot < arena_.slots(); ++slot) {
      arena_.shift(slot);
      arena_.fill(slot, inputs_);
    }
    arena_.settle();
  }
  InspectionResult look() {
    return arena_.inspect(
        {.first = 0, .count = 1, .copied = {0}, .filled = FilledSlot{0, &inputs_}, .places = &random_});
  }
  void write_output(std::size_t slot, int byte) { std::memset(arena_.data(slot, 2), byte, arena_.bytes(2)); }

  std::vector<at::Tensor> inputs_ = verifier::draw_inputs(task_, case_, InputSet::standard, 3);
  Random random_{1};
};

TEST_F(InspectedSlots, FindsNothingAfterARightCall) {
  write_output(0, 0);
  const auto found = look();
  EXPECT_FALSE(found.damage);
  EXPECT_FALSE(found.changed_input);
  EXPECT_FALSE(found.unwritten);
  ASSERT_EQ(found.copies.size(), 1u);
  ASSERT_EQ(found.copies[0].size(), 1u) << "of the output alone";
  write_output(0, 0x7f);
  EXPECT_TRUE(found.copies[0][0].eq(0).all().item<bool>()) << "a copy that nothing changes";
}

TEST_F(InspectedSlots, FindsAnOutputThatNobodyWrote) {
  EXPECT_EQ(look().unwritten, "z");
}

TEST_F(InspectedSlots, FindsAChangedInputAndADamagedGuard) {
  write_output(0, 0);
  *arena_.data(0, 1) = ~*arena_.data(0, 1);
  EXPECT_EQ(look().changed_input, "y");
  std::byte* behind = arena_.data(0, 0) + arena_.bytes(0);
  *behind = ~*behind;
  const auto found = look();
  ASSERT_TRUE(found.damage);
  EXPECT_EQ(found.damage->argument, 0u);
  EXPECT_TRUE(found.damage->behind);
}

/// One input, many weights of one to eight floats, one output.
Task task_of_many_weights(std::size_t count) {
  Task task;
  task.name = "many";
  const auto add = [&](const std::string& name, Role role, std::size_t elements, const std::string& state) {
    Tensor tensor;
    tensor.name = name;
    tensor.role = role;
    tensor.shape = {Expression::parse(std::to_string(elements))};
    tensor.state = state;
    task.parameters.emplace_back(tensor);
  };
  add("x", Role::in, 5, "");
  for (std::size_t i = 0; i < count; ++i)
    add("w" + std::to_string(i), Role::in, i % 8 + 1, "weights." + std::to_string(i));
  add("y", Role::out, 5, "");
  task.cases = {Case{"published", {}, true, false, false, "cpu"}};
  return task;
}

TEST(ArenaOfManyWeights, PutsThemIntoOnePieceEachBetweenItsGuards) {
  const auto task = task_of_many_weights(700);
  HostArena arena(task, task.cases[0], 2, 11);
  ASSERT_EQ(arena.arguments(), 702u);
  EXPECT_EQ(arena.memories(), 3u);
  std::set<std::byte*> places;
  for (std::size_t a = 1; a <= 700; ++a) {
    EXPECT_EQ(arena.memory_of(a), arena.memory_of(1));
    EXPECT_EQ(arena.data(0, a), arena.data(1, a));
    EXPECT_LE(arena.offset(0, a) + arena.bytes(a) + kGuardBytes, arena.range_of(a).end);
    EXPECT_TRUE(places.insert(arena.data(0, a)).second);
    std::memset(arena.data(0, a), 0x5a, arena.bytes(a));
  }
  EXPECT_FALSE(arena.check_guards(0, 2));
  std::byte* behind = arena.data(0, 400) + arena.bytes(400);
  *behind = ~*behind;
  const auto damage = arena.check_guards(0);
  ASSERT_TRUE(damage);
  EXPECT_EQ(damage->argument, 400u);
}

TEST(ArenaOfManyWeights, GivesEachOfFewWeightsItsOwnPiece) {
  const auto task = task_of_many_weights(50);
  EXPECT_EQ(HostArena(task, task.cases[0], 2, 11).memories(), 52u);
}

}  // namespace
}  // namespace ridgeline::judge
