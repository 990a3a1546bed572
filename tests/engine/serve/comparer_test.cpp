#include "engine/serve/comparer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "tests/engine/export/filled_store.hpp"

namespace ridgeline::serve {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(Comparer, ABackgroundThatThrowsIsAskedAgain) {
  store::samples::FilledStore filled;
  const auto opened = store::Store::open(filled.store().path(), store::OpenMode::read_only);
  std::vector<std::function<void()>> queued;
  bool full = false;
  Comparer comparer(
      opened,
      [&](std::function<void()> one) {
        if (full) throw std::runtime_error("the queue is full");
        queued.push_back(std::move(one));
      },
      [] { return 0.0; });
  for (const char* mark : {"1", "2"}) {  // before the first result, and when another is out of date
    full = true;
    EXPECT_THROW(comparer.current(mark), std::runtime_error) << mark;
    EXPECT_THAT(queued, IsEmpty());
    full = false;
    comparer.current(mark);
    ASSERT_THAT(queued, SizeIs(1)) << mark;
    for (auto& one : std::exchange(queued, {})) one();
  }
  const auto current = comparer.current("2");
  EXPECT_EQ(current.version, 2);
  EXPECT_THAT(current.html, HasSubstr("Strategies at equal budget"));
  EXPECT_THAT(queued, IsEmpty()) << "nothing changed";
}

}  // namespace
}  // namespace ridgeline::serve
