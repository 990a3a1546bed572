#include "engine/verifier/reference_mark.hpp"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <thread>

namespace ridgeline::verifier {
namespace {

TEST(ReferenceMark, NumbersEachCallAnew) {
  const std::string task = "t", one = "small";
  EXPECT_EQ(marked_reference(), 0u);
  std::uint64_t first = 0;
  {
    const ReferenceMark mark(task, one);
    first = marked_reference();
    EXPECT_NE(first, 0u);
    const ReferenceMark within(task, one);
    EXPECT_EQ(marked_reference(), first) << "one at a time";
  }
  EXPECT_EQ(marked_reference(), 0u);
  const ReferenceMark mark(task, one);
  EXPECT_NE(marked_reference(), first);
  hold_reference(first, [](const auto&, const auto&) { ADD_FAILURE() << "that call has ended"; });
}

TEST(ReferenceMark, ACallThatIsHeldNeverReturns) {
  const auto child = ::fork();
  if (child == 0) {
    const std::string task = "t", one = "small";
    std::thread([&] {
      while (marked_reference() == 0) std::this_thread::yield();
      hold_reference(marked_reference(), [](const std::string& of, const std::string& in) {
        std::this_thread::yield();
        ::_exit(of == "t" && in == "small" ? 7 : 8);
      });
    }).detach();
    {
      const ReferenceMark mark(task, one);
      while (marked_reference() != 0) std::this_thread::yield();  // until it is held
    }
    ::_exit(9);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

}  // namespace
}  // namespace ridgeline::verifier
