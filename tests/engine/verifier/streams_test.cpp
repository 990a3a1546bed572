#include "engine/verifier/streams.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "engine/verifier/correlation.hpp"
#include "engine/verifier/randomness.hpp"
#include "engine/verifier/repeats.hpp"
#include "generators.hpp"

namespace ridgeline::verifier {
namespace {

constexpr double p_value = 1e-14;
constexpr int draw_rows = 15;

using Values = std::vector<double>;

double uniform_of(Words& words) {
  return static_cast<double>(static_cast<float>(words() >> 8) * 0x1p-24F);
}

double normal_of(Words& words) {
  const double radius = std::sqrt(-2 * std::log((words() + 0.5) * 0x1p-32));
  return static_cast<double>(
      static_cast<float>(radius * std::cos(2 * std::numbers::pi * (words() * 0x1p-32))));
}

/// A random process: makes element i from words.
struct Process {
  std::string name;
  std::function<double(Words& words, std::size_t i)> element;
};

Process integers(std::uint32_t range) {
  return {"integers below " + std::to_string(range), [range](Words& words, std::size_t) {
            return static_cast<double>((std::uint64_t{words()} * range) >> 32);
          }};
}

Process bernoulli(double probability) {
  return {"bernoulli " + std::to_string(probability),
          [probability](Words& words, std::size_t) { return words() * 0x1p-32 < probability ? 1.0 : 0.0; }};
}

/// Dropout of fixed normal inputs; every tenth of them is zero, as after a rectifier.
Process dropout_of(double probability) {
  auto words = split_mix(77);
  Values inputs(1 << 17);
  for (std::size_t i = 0; i < inputs.size(); ++i) inputs[i] = i % 10 == 0 ? 0 : normal_of(words);
  return {"dropout " + std::to_string(probability), [inputs, probability](Words& from, std::size_t i) {
            return from() * 0x1p-32 < probability ? 0.0 : inputs[i] / (1 - probability);
          }};
}

const Process uniform{"uniform", [](Words& words, std::size_t) { return uniform_of(words); }};
const Process normal{"normal", [](Words& words, std::size_t) { return normal_of(words); }};
/// An independent choice of three with uneven chances.
const Process choice{"choice", [](Words& words, std::size_t) {
                       const double u = words() * 0x1p-32;
                       return u < 0.6 ? -1.0 : u < 0.9 ? 0.5 : 4.0;
                     }};

std::vector<Process> processes() {
  return {uniform,         normal,         choice,         integers(2),     integers(10),
          integers(1000),  bernoulli(0.5), bernoulli(0.1), bernoulli(0.01), bernoulli(0.0005),
          dropout_of(0.5), dropout_of(0.1)};
}

Values output_of(const Process& process, Words words, std::size_t n) {
  Values values(n);
  for (std::size_t i = 0; i < n; ++i) values[i] = process.element(words, i);
  return values;
}

/// A process with its draws.
class Judge {
 public:
  Judge(Process process, std::size_t n) : process_(std::move(process)), n_(n) {
    for (std::uint64_t k = 0; k < draw_rows; ++k) {
      const auto row = output_of(process_, twister(9000 + k), n);
      draws_.insert(draws_.end(), row.begin(), row.end());
    }
  }

  Values output(Words words) const { return output_of(process_, std::move(words), n_); }

  RandomFinding one(const Values& values) const {
    if (auto found = check_random(values, {draws_, draw_rows}, p_value); !found.ok) return found;
    return check_independence({{values}, {draws_, draw_rows}, DType::float32}, p_value);
  }
  RandomFinding one(Words words) const { return one(output(std::move(words))); }

  RandomFinding several(const std::vector<Values>& outputs) const {
    RandomCalls calls{{}, {draws_, draw_rows}, DType::float32};
    for (const auto& output : outputs) calls.outputs.emplace_back(output);
    return check_calls_independent(calls, p_value);
  }

 private:
  Process process_;
  std::size_t n_;
  Values draws_;
};

TEST(Correlation, EqualsSumsThatAreFormedOneByOne) {
  const Values a{1, -2, 3, 0.5, 4}, b{2, 0, -1};
  const auto sums = correlate_at_all_shifts(a, b);
  ASSERT_EQ(sums.size(), a.size() + b.size() - 1);
  for (int shift = 1 - static_cast<int>(a.size()); shift < static_cast<int>(b.size()); ++shift) {
    double wanted = 0;
    for (int i = 0; i < static_cast<int>(a.size()); ++i)
      if (i + shift >= 0 && i + shift < static_cast<int>(b.size()))
        wanted += a[static_cast<std::size_t>(i)] * b[static_cast<std::size_t>(i + shift)];
    EXPECT_NEAR(sums[static_cast<std::size_t>(shift + 4)], wanted, 1e-12) << shift;
  }
}

TEST(Repeats, AStretchIsFoundWhereItLiesAndAShortOneIsNot) {
  auto words = split_mix(1);
  Values values(5000);
  for (auto& x : values) x = uniform_of(words);
  Values draws;
  for (std::uint64_t k = 0; k < draw_rows; ++k)
    for (std::size_t i = 0; i < values.size(); ++i) draws.push_back(uniform_of(words));
  const auto bits = bits_before({draws, draw_rows});
  EXPECT_EQ(bits.back(), 3.0 * 5000);
  const double demanded = bits_demanded(5000, p_value);
  EXPECT_FALSE(find_repeat({values}, bits, demanded));
  const auto copied = [&](std::size_t length) {
    auto copy = values;
    std::copy_n(values.begin() + 700, length, copy.begin() + 3123);
    return copy;
  };
  EXPECT_FALSE(find_repeat({copied(30)}, bits, demanded));
  const auto copy = copied(60);
  const auto found = find_repeat({copy}, bits, demanded);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->place, 700U);
  EXPECT_EQ(found->other_place, 3123U);
  EXPECT_EQ(found->length, 60U);
}

TEST(Repeats, AreFoundAnywhereInALongOutput) {
  constexpr std::size_t n = std::size_t{1} << 21;
  auto words = split_mix(2);
  Values values(n), draws;
  for (auto& x : values) x = uniform_of(words);
  for (std::uint64_t k = 0; k < 2; ++k)
    for (std::size_t i = 0; i < n; ++i) draws.push_back(uniform_of(words));
  const auto bits = bits_before({draws, 2});
  const double demanded = bits_demanded(n, p_value);
  EXPECT_FALSE(find_repeat({values}, bits, demanded));
  std::copy_n(values.begin() + 11, 2000, values.begin() + 2'000'003);
  EXPECT_TRUE(find_repeat({values}, bits, demanded));
}

TEST(Streams, HonestGeneratorsPassUnderEveryProcess) {
  int draws = 0;
  for (const auto& process : processes()) {
    const Judge judge(process, 2048);
    for (const auto& generator : honest_generators())
      for (std::uint64_t seed = 1; seed <= 20; ++seed, ++draws) {
        const auto found = judge.one(generator.make(seed * 1000003));
        EXPECT_TRUE(found.ok) << process.name << " by " << generator.name << ", " << seed << ": "
                              << found.detail;
      }
  }
  EXPECT_GE(draws, 200);
}

TEST(Streams, HonestGeneratorsPassInLongOutputs) {
  for (const auto& process : {uniform, normal, bernoulli(0.1)}) {
    const Judge judge(process, 65536);
    for (const auto& generator : honest_generators())
      for (std::uint64_t seed = 1; seed <= 2; ++seed) {
        const auto found = judge.one(generator.make(seed));
        EXPECT_TRUE(found.ok) << process.name << " by " << generator.name << ", " << seed << ": "
                              << found.detail;
      }
  }
}

TEST(Streams, HonestCallsPassThoughTheirSeedsAreNeighbours) {
  for (const auto& process : processes()) {
    const Judge judge(process, 2048);
    for (const auto& generator : honest_generators()) {
      std::vector<Values> outputs;
      for (std::uint64_t seed = 4000; seed < 4020; ++seed)
        outputs.push_back(judge.output(generator.make(seed)));
      const auto found = judge.several(outputs);
      EXPECT_TRUE(found.ok) << process.name << " by " << generator.name << ": " << found.detail;
    }
  }
}

TEST(Streams, APeriodIsFoundOnceAnOutputIsLonger) {
  for (const auto& process : {uniform, normal, bernoulli(0.5), integers(10), dropout_of(0.5)})
    for (const std::size_t period : {std::size_t{4096}, std::size_t{65536}}) {
      const std::size_t draws_a_value = process.name == "normal" ? 2 : 1;
      const Judge judge(process, 3 * period / draws_a_value / 2);
      const auto found = judge.one(cycled(table_of(period, 5)));
      EXPECT_FALSE(found.ok) << process.name << ", period " << period;
    }
}

TEST(Streams, APeriodIsFoundInShortOutputsOfSeveralCalls) {
  for (const std::size_t period : {std::size_t{4096}, std::size_t{65536}}) {
    const Judge judge(uniform, 2048);
    const auto table = table_of(period, 6);
    std::vector<Values> outputs;
    for (std::uint64_t seed = 1; seed <= 40; ++seed)
      outputs.push_back(judge.output(cycled(table, split_mix(seed)() % period)));
    EXPECT_TRUE(judge.one(outputs.front()).ok) << "one call shows nothing";
    EXPECT_FALSE(judge.several(outputs).ok) << period;
  }
}

TEST(Streams, TheLowBitsOfALinearCongruenceFail) {
  EXPECT_FALSE(Judge(bernoulli(0.5), 2048).one(low_bits(1, 9)).ok);
  EXPECT_FALSE(Judge(bernoulli(0.5), 2048).one(low_bits(8, 9)).ok);
  EXPECT_FALSE(Judge(uniform, 5003).one(low_bits(12, 9)).ok);
  const auto found = Judge(uniform, 65536).one(low_bits(24, 9));
  EXPECT_FALSE(found.ok) << "a permutation never repeats a value";
  EXPECT_NE(found.detail.find("pairs of equal values"), std::string::npos) << found.detail;
  EXPECT_FALSE(Judge(uniform, 65536).one(low_bits(16, 9)).ok);
}

TEST(Streams, CallsThatIgnoreTheirSeedFail) {
  for (const auto& process : {uniform, normal, bernoulli(0.5), dropout_of(0.1)}) {
    const Judge judge(process, 2048);
    const auto output = judge.output(philox(3));
    EXPECT_FALSE(judge.several({output, output}).ok) << process.name;
  }
}

TEST(Streams, TinyOutputsThatIgnoreTheirSeedFailTogether) {
  const Judge judge(normal, 1);
  std::vector<Values> same(40, judge.output(philox(3))), honest;
  for (std::uint64_t seed = 0; seed < 40; ++seed) honest.push_back(judge.output(philox(seed)));
  EXPECT_FALSE(judge.several(same).ok);
  EXPECT_TRUE(judge.several(honest).ok);
}

TEST(Streams, RareEventsMayBeMissingInEveryCall) {
  const Judge judge(bernoulli(0.0005), 64);
  EXPECT_TRUE(judge.several(std::vector<Values>(40, Values(64, 0))).ok) << "so are most honest outputs";
  Values one(64, 0);
  one[5] = 1;
  EXPECT_TRUE(judge.one(one).ok) << "the draws may have none";
}

TEST(Streams, ShiftedCopiesOfOneStreamFail) {
  for (const auto& process : {uniform, bernoulli(0.5), integers(10)}) {
    const Judge judge(process, 2048);
    for (const std::size_t shift : {std::size_t{1}, std::size_t{37}, std::size_t{1500}}) {
      auto moved = philox(3);
      for (std::size_t i = 0; i < shift; ++i) moved();
      const auto found = judge.several({judge.output(philox(3)), judge.output(moved)});
      EXPECT_FALSE(found.ok) << process.name << " shifted by " << shift;
    }
  }
}

TEST(Streams, AMaskThatIsShiftedFailsThoughTheValuesDiffer) {
  const Judge judge(dropout_of(0.5), 8192);
  auto moved = philox(3);
  for (int i = 0; i < 100; ++i) moved();
  const auto found = judge.several({judge.output(philox(3)), judge.output(moved)});
  EXPECT_FALSE(found.ok);
  EXPECT_NE(found.detail.find("correlated"), std::string::npos) << found.detail;
}

TEST(Streams, AntitheticPairsFailWithinACallAndBetweenCalls) {
  const Judge judge(uniform, 2048);
  const auto values = judge.output(philox(3));
  auto mirrored = values;
  for (auto& x : mirrored) x = 1 - x;
  EXPECT_FALSE(judge.several({values, mirrored}).ok);
  auto beside = values, behind = values;
  for (std::size_t i = 1; i < values.size(); i += 2) beside[i] = 1 - beside[i - 1];
  for (std::size_t i = values.size() / 2; i < values.size(); ++i)
    behind[i] = 1 - behind[i - values.size() / 2];
  EXPECT_FALSE(judge.one(beside).ok);
  EXPECT_FALSE(judge.one(behind).ok);
}

TEST(Streams, ValuesOfACoarseGridFail) {
  const Judge judge(uniform, 2048);
  auto values = judge.output(philox(3));
  for (auto& x : values) x = std::floor(x * 4096) / 4096;
  EXPECT_FALSE(judge.one(values).ok);
}

/// One mask for each row of 64 elements: elements depend on each other by the task itself.
TEST(Streams, WhatTheTaskItselfRepeatsMayRepeat) {
  const auto rows = [](std::uint64_t seed) {
    auto words = philox(seed);
    Values values(8192);
    for (std::size_t row = 0; row < values.size() / 64; ++row) {
      const double value = normal_of(words);
      for (std::size_t i = 0; i < 64; ++i) values[row * 64 + i] = value;
    }
    return values;
  };
  Values draws;
  for (std::uint64_t k = 100; k < 100 + draw_rows; ++k) {
    const auto row = rows(k);
    draws.insert(draws.end(), row.begin(), row.end());
  }
  for (std::uint64_t seed = 1; seed < 20; ++seed) {
    const auto one = rows(seed), other = rows(seed + 50);
    const auto within = check_independence({{one}, {draws, draw_rows}, DType::float32}, p_value);
    EXPECT_TRUE(within.ok) << within.detail;
    const auto between = check_calls_independent({{one, other}, {draws, draw_rows}, DType::float32}, p_value);
    EXPECT_TRUE(between.ok) << between.detail;
  }
}

/// Draws of a bool are kept as bytes, and must be judged as the same numbers are.
TEST(DrawRows, FlagsAreJudgedAsTheNumbersThatTheyAre) {
  constexpr std::size_t n = 100'003;  // no whole number of blocks or ranges
  const auto process = bernoulli(0.25);
  Values draws;
  for (std::uint64_t k = 0; k < draw_rows; ++k) {
    const auto row = output_of(process, philox(40 + k), n);
    draws.insert(draws.end(), row.begin(), row.end());
  }
  const std::vector<std::uint8_t> flags(draws.begin(), draws.end());
  auto repeated = output_of(process, philox(3), n);
  std::copy_n(repeated.begin(), n / 2, repeated.begin() + static_cast<std::ptrdiff_t>(n / 2));
  int refused = 0;
  for (const auto& got : {output_of(process, philox(1), n), output_of(bernoulli(0.2), philox(2), n), repeated,
                          Values(n, 1.0)}) {
    const DrawRows numbers(draws, draw_rows), bytes(flags, draw_rows);
    const auto by_numbers = check_random(got, numbers, p_value), by_flags = check_random(got, bytes, p_value);
    EXPECT_EQ(by_flags.detail, by_numbers.detail);
    const auto apart = check_independence({{got}, numbers, DType::boolean}, p_value);
    EXPECT_EQ(check_independence({{got}, bytes, DType::boolean}, p_value).detail, apart.detail);
    refused += !by_flags.ok || !apart.ok;
  }
  EXPECT_EQ(refused, 3);
  EXPECT_EQ(bits_before({draws, draw_rows}), bits_before({flags, draw_rows}));
}

}  // namespace
}  // namespace ridgeline::verifier
