// Loops on several threads visit every element once and give the same bits as on one thread.
#include "engine/verifier/parallel.hpp"

#include <ATen/Parallel.h>
#include <ATen/ops/equal.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <vector>

#include "samples.hpp"

namespace ridgeline::verifier {
namespace {

class Threads {
 public:
  explicit Threads(int count) : before_(at::get_num_threads()) { at::set_num_threads(count); }
  ~Threads() { at::set_num_threads(before_); }
  Threads(const Threads&) = delete;

 private:
  int before_;
};

TEST(InRanges, VisitsEveryElementOnce) {
  const Threads four(4);
  for (const std::int64_t count : {std::int64_t{0}, std::int64_t{1}, range_length, 5 * range_length + 3}) {
    std::vector<int> seen(static_cast<std::size_t>(count));
    in_ranges(count, [&](std::int64_t begin, std::int64_t end) {
      EXPECT_EQ(begin % range_length, 0);
      for (auto i = begin; i < end; ++i) ++seen[static_cast<std::size_t>(i)];
    });
    EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), count);
  }
}

TEST(InParallel, RethrowsTheExceptionOfAPiece) {
  const Threads four(4);
  std::atomic<int> done = 0;
  EXPECT_THROW(in_parallel(100,
                           [&](std::int64_t piece) {
                             if (piece == 7) throw std::runtime_error("seven");
                             ++done;
                           }),
               std::runtime_error);
  EXPECT_GE(done, 7);
}

TEST(InRanges, InputsAndVerdictsHaveTheSameBitsOnAnyNumberOfThreads) {
  constexpr std::int64_t n = 3 * range_length + 17;
  for (const auto set : {InputSet::standard, InputSet::outlier, InputSet::edge}) {
    const Trial one(elementwise("torch.exp(x) - 1", DType::float32, n), set);
    const Threads four(4);
    const Trial many(elementwise("torch.exp(x) - 1", DType::float32, n), set);
    ASSERT_TRUE(at::equal(one.inputs[0], many.inputs[0])) << to_string(set);
    EXPECT_TRUE(at::equal(one.expected.tolerance[0], many.expected.tolerance[0]));
    EXPECT_TRUE(at::equal(one.expected.scale[0], many.expected.scale[0]));
    auto off = one.expected.own[0].clone();
    data<float>(off)[n - 1] += 1;
    const auto alone = one.judge_values({off}), together = many.judge_values({off});
    EXPECT_FALSE(together.ok);
    EXPECT_EQ(alone.detail, together.detail);
    ASSERT_EQ(together.errors.size(), 1U);
    EXPECT_EQ(alone.errors[0].p99, together.errors[0].p99);
  }
}

}  // namespace
}  // namespace ridgeline::verifier
