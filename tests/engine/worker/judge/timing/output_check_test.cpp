// Timed calls against one run of the reference, and which wrong ones are called weak.
#include "engine/worker/judge/timing/output_check.hpp"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/mean.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/where.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "engine/verifier/fit.hpp"
#include "engine/worker/judge/backends/host_backend.hpp"
#include "engine/worker/judge/timing/output_check_plan.hpp"
#include "engine/worker/judge/timing/wrong_call.hpp"
#include "tests/engine/worker/judge/judge_program.hpp"

namespace ridgeline::judge {
namespace {

/// The timed case of a task, and calls on fresh inputs of it.
class Calls {
 public:
  explicit Calls(const std::string& task) : prepared_(testcase_task(task), 7, backend_) {
    case_.sets(InputSet::standard).draw(prepared_.reference(), prepared_.random());
    case_.timing_arena = backend_.memory().make_arena(prepared_.task(), case_.definition(), 3);
  }

  /// A call that left what `compute` makes of its inputs.
  template <class Compute>
  TimedCall call(Compute&& compute) {
    TimedCall made{case_.next_instance(prepared_.reference(), prepared_.random()), {}};
    made.outputs = compute(case_.timing_arena->inputs_of(made.instance));
    return made;
  }
  std::vector<at::Tensor> right(const std::vector<at::Tensor>& inputs) {
    const auto& definition = case_.definition();
    return verifier::as_written(prepared_.task(), definition, prepared_.reference().run(inputs, definition));
  }
  TimedCall right_call() {
    return call([&](const auto& inputs) { return right(inputs); });
  }
  bool passes(const TimedCall& call) {
    return pass_output_check(prepared_, case_, std::span(&call, 1)).front();
  }
  std::optional<WrongCall> find_wrong(std::vector<TimedCall> calls, std::size_t in_full = 1) {
    verified = 0;
    return find_wrong_call(prepared_, case_, calls, in_full, verified);
  }

  int verified = 0;

 private:
  HostBackend backend_;
  PreparedTask prepared_;
  PreparedCase& case_ = *prepared_.find("typical");
};

at::Tensor in_16_bits(const at::Tensor& values) {
  return values.to(at::kBFloat16).to(values.scalar_type());
}

TEST(OutputCheck, PassesCallsThatAreRight) {
  for (const auto* task :
       {"vector_add", "small_matmul", "row_softmax", "row_mean", "mean", "axpy", "compact"}) {
    Calls calls(task);
    for (int i = 0; i < 5; ++i) EXPECT_TRUE(calls.passes(calls.right_call())) << task;
  }
}

TEST(OutputCheck, RefusesALowerPrecisionThatIsNearEverywhere) {
  for (const auto* task : {"vector_add", "small_matmul", "row_softmax", "row_mean", "mean"}) {
    Calls calls(task);
    const auto call = calls.call([&](const auto& inputs) {
      auto outputs = calls.right(inputs);
      outputs[0] = in_16_bits(outputs[0]);
      return outputs;
    });
    EXPECT_FALSE(calls.passes(call)) << task;
  }
  Calls calls("small_matmul");
  EXPECT_FALSE(calls.passes(calls.call([](const auto& inputs) {
    return std::vector{at::matmul(in_16_bits(inputs[0]), in_16_bits(inputs[1]))};
  })));
}

TEST(OutputCheck, RefusesAMeanOverAPartOfItsInput) {
  Calls rows("row_mean");
  EXPECT_FALSE(rows.passes(
      rows.call([](const auto& in) { return std::vector{in[0].slice(1, 0, in[0].size(1) / 8).mean(1)}; })));
  Calls one("mean");
  EXPECT_FALSE(one.passes(one.call([](const auto& in) {
    return std::vector{in[0].slice(0, 0, in[0].size(0) / 8).mean(0, /*keepdim=*/true)};
  })));
}

TEST(OutputCheck, SeesASingleWrongElement) {
  for (const auto* task : {"vector_add", "small_matmul", "row_mean", "compact"}) {
    Calls calls(task);
    for (const std::int64_t place : {0, 17}) {
      const auto call = calls.call([&](const auto& inputs) {
        auto outputs = calls.right(inputs);
        outputs[0] = outputs[0].clone();
        outputs[0].view(-1)[place] += 1;
        return outputs;
      });
      EXPECT_FALSE(calls.passes(call)) << task;
    }
  }
}

TEST(OutputCheck, RefusesWhatIsNotFinite) {
  Calls calls("vector_add");
  EXPECT_FALSE(calls.passes(
      calls.call([](const auto& inputs) { return std::vector{(inputs[0] + inputs[1]) / 0.0}; })));
}

TEST(FindWrongCall, LooksAtAllCallsThatItCanAfford) {
  Calls calls("mean");
  std::vector<TimedCall> right;
  for (int i = 0; i < 40; ++i) right.push_back(calls.right_call());
  EXPECT_FALSE(calls.find_wrong(right));
  EXPECT_GE(calls.verified, static_cast<int>(OutputCheckPlan::few));
  EXPECT_LE(calls.verified, 40);
}

TEST(FindWrongCall, CallsItCheatingIfALoneNumberIsFarOff) {
  Calls calls("mean");
  const auto left_out = calls.call([](const auto& in) {
    const auto kept = in[0].size(0) - in[0].size(0) / 32;
    return std::vector{in[0].slice(0, 0, kept).sum(0, /*keepdim=*/true).div(in[0].size(0))};
  });
  const auto wrong = calls.find_wrong({left_out}, 0);
  ASSERT_TRUE(wrong);
  EXPECT_EQ(wrong->compared.mismatch->pattern, Pattern::precision) << wrong->compared.detail;
  EXPECT_FALSE(wrong->weak);
}

/// A comparison that found `wrong` of so many elements off by at most so many tolerances.
verifier::Comparison off(std::int64_t wrong, std::int64_t elements, double tolerances,
                         Pattern pattern = Pattern::precision) {
  verifier::Comparison compared;
  compared.ok = false;
  Mismatch mismatch;
  mismatch.output = "y";
  mismatch.elements = elements;
  mismatch.wrong = wrong;
  mismatch.pattern = pattern;
  compared.mismatch = mismatch;
  compared.errors = {{"typical", InputSet::standard, "y", 0, 0, tolerances}};
  return compared;
}

TEST(WeakCall, MissesAFewElementsOfManyByLittle) {
  EXPECT_TRUE(is_weak(off(1, 1000, 100)));
  EXPECT_TRUE(is_weak(off(10, 1000, 1.5)));
  EXPECT_FALSE(is_weak(off(11, 1000, 1.5))) << "more than one in a hundred";
  EXPECT_FALSE(is_weak(off(1, 1000, 1.5, Pattern::scattered))) << "no error of precision";
}

TEST(WeakCall, MissesTheOnlyNumberByNoMoreThanRoundings) {
  EXPECT_TRUE(is_weak(off(1, 1, 1.5)));
  EXPECT_TRUE(is_weak(off(1, 64, 3.9)));
  EXPECT_FALSE(is_weak(off(1, 1, 4.1)));
  EXPECT_FALSE(is_weak(off(2, 64, 1.5))) << "two of few";
  auto exact = off(1, 1, 0);
  exact.errors.clear();
  EXPECT_FALSE(is_weak(exact)) << "an integer has no roundings";
  verifier::Comparison count;
  count.ok = false;
  EXPECT_FALSE(is_weak(count)) << "no element was compared";
}

/// A call of `drop` that leaves out what `kept` says.
TimedCall dropped(Calls& calls, const at::Tensor& kept) {
  return calls.call([&](const auto& in) { return std::vector{at::where(kept, in[0] / 0.75, 0)}; });
}

at::Tensor mask_of(std::uint64_t seed) {
  at::Generator generator = at::detail::createCPUGenerator(seed);
  return at::rand({65536}, generator) >= 0.25;
}

TEST(WrongCallOfARandomTask, IsOneWhoseMaskIsThatOfAnEarlierCall) {
  Calls calls("drop");
  const auto kept = mask_of(1);
  std::vector<TimedCall> alike, fresh;
  for (std::uint64_t i = 0; i < 4; ++i) {
    alike.push_back(dropped(calls, kept));
    fresh.push_back(dropped(calls, mask_of(2 + i)));
  }
  const auto wrong = calls.find_wrong(alike);
  ASSERT_TRUE(wrong);
  EXPECT_FALSE(wrong->weak);
  EXPECT_FALSE(calls.find_wrong(fresh));
}

}  // namespace
}  // namespace ridgeline::judge
