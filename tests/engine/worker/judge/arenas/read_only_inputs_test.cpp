// A kernel's runner gets the memory of inputs for reading alone.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>

#include "engine/verifier/inputs.hpp"
#include "engine/worker/judge/arenas/host_arena.hpp"
#include "tests/engine/worker/judge/judge_program.hpp"

namespace ridgeline::judge {
namespace {

/// Whether a process that has the descriptor can write to its memory.
bool is_writable(int descriptor) {
  void* data = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (data == MAP_FAILED) return false;
  ::munmap(data, 4096);
  return true;
}

TEST(ReadOnlyInputs, OnlyOutputsAreWritableForAKernel) {
  const Task task = testcase_task("axpy");
  const HostArena arena(task, task.cases.front(), 2, 11);
  const auto tensors = task.tensors();
  for (std::size_t a = 0; a < arena.arguments(); ++a) {
    EXPECT_EQ(is_writable(arena.descriptor_for_kernel(arena.memory_of(a))), tensors[a]->role != Role::in)
        << tensors[a]->name;
    EXPECT_TRUE(is_writable(arena.descriptor(arena.memory_of(a)))) << "an interpreter's";
  }
}

TEST(ReadOnlyInputs, ShowWhatTheJudgeFills) {
  const Task task = testcase_task("vector_add");
  const auto& one = task.cases.front();
  HostArena arena(task, one, 1, 11);
  arena.fill(0, verifier::draw_inputs(task, one, InputSet::standard, 5));
  void* seen =
      ::mmap(nullptr, arena.memory_bytes(0), PROT_READ, MAP_SHARED, arena.descriptor_for_kernel(0), 0);
  ASSERT_NE(seen, MAP_FAILED);
  EXPECT_EQ(std::memcmp(static_cast<std::byte*>(seen) + arena.offset(0, 0), arena.data(0, 0), arena.bytes(0)),
            0);
  ::munmap(seen, arena.memory_bytes(0));
}

}  // namespace
}  // namespace ridgeline::judge
