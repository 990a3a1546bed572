// Maps memory files as a runner does, by descriptors for writing and for reading alone.
#include "engine/worker/runner/mapped_arguments.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>

namespace ridgeline::runner {
namespace {

constexpr std::uint64_t file_bytes = 8192;

/// Returns a descriptor of a new memory file whose first byte is 7; the caller closes it.
int memory_file_for(int flags) {
  const int file = ::memfd_create("argument", MFD_CLOEXEC);
  EXPECT_EQ(::ftruncate(file, file_bytes), 0);
  const char seven = 7;
  EXPECT_EQ(::pwrite(file, &seven, 1, 0), 1);
  if (flags == O_RDWR) return file;
  const int again = ::open(fmt::format("/proc/self/fd/{}", file).c_str(), flags | O_CLOEXEC);
  ::close(file);
  return again;
}

TEST(MappedArguments, MemoryIsWritableIfItsDescriptorIs) {
  std::array descriptors{memory_file_for(O_RDWR)};
  MappedArguments arguments;
  ASSERT_TRUE(arguments.map(descriptors, std::array{file_bytes}));
  arguments.base(0)[0] = std::byte{8};
  EXPECT_EQ(arguments.base(0)[0], std::byte{8});
}

TEST(MappedArguments, MemoryOfADescriptorForReadingCannotBeMadeWritable) {
  std::array descriptors{memory_file_for(O_RDONLY), memory_file_for(O_RDWR)};
  MappedArguments arguments;
  ASSERT_TRUE(arguments.map(descriptors, std::array{file_bytes, file_bytes}));
  EXPECT_EQ(arguments.base(0)[0], std::byte{7});
  EXPECT_EQ(::mprotect(arguments.base(0), file_bytes, PROT_READ | PROT_WRITE), -1);
  EXPECT_EQ(errno, EACCES);
  EXPECT_EQ(::mprotect(arguments.base(1), file_bytes, PROT_READ | PROT_WRITE), 0);
  EXPECT_DEATH(arguments.base(0)[0] = std::byte{8}, "");
}

TEST(MappedArguments, WhatIsNoFileOfTheSizeIsRefused) {
  std::array descriptors{-1};
  MappedArguments arguments;
  EXPECT_FALSE(arguments.map(descriptors, std::array{file_bytes}));
}

}  // namespace
}  // namespace ridgeline::runner
