// Numbers that the device draws, against the same arithmetic on the host: every type and draw, at places and
// lengths that no vector store likes; and what a timed call's inputs have to be, independent of all others.
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <span>
#include <utility>

#include "device_bytes.hpp"
#include "engine/cuda/device.hpp"
#include "engine/cuda/jobs.hpp"
#include "engine/cuda/shared_memory.hpp"

namespace ridgeline::cuda {
namespace {

using numbers::Generation, numbers::NumberDraw, numbers::NumberType;

constexpr std::array kTypes{NumberType::f64, NumberType::f32,    NumberType::f16, NumberType::bf16,
                            NumberType::i64, NumberType::i32,    NumberType::i16, NumberType::i8,
                            NumberType::u8,  NumberType::boolean};
constexpr std::array kDraws{NumberDraw::normal, NumberDraw::uniform, NumberDraw::bernoulli,
                            NumberDraw::constant};

Generation generation(NumberType type, NumberDraw draw, std::uint64_t key = 0x1234567890abcdefULL) {
  return {.key = key,
          .digits_key = key + 1,
          .low = draw == NumberDraw::constant ? 1 : 0.5,
          .high = 3,
          .top = 3.25,
          .range = draw == NumberDraw::bernoulli ? std::uint64_t{1} << 30 : 3,
          .type = type,
          .draw = draw};
}

/// The bits of number i as the host computes it.
template <NumberType type>
std::uint64_t bits_here(const Generation& given, std::uint64_t i) {
  const auto word = numbers::word32(given.key, i);
  typename numbers::Stored<type>::Type value{};
  switch (given.draw) {
    case NumberDraw::normal:
      value = numbers::number_of<type, NumberDraw::normal>(given, i, word);
      break;
    case NumberDraw::uniform:
      value = numbers::number_of<type, NumberDraw::uniform>(given, i, word);
      break;
    case NumberDraw::bernoulli:
      value = numbers::number_of<type, NumberDraw::bernoulli>(given, i, word);
      break;
    case NumberDraw::constant:
      value = numbers::number_of<type, NumberDraw::constant>(given, i, word);
  }
  std::uint64_t bits = 0;
  std::memcpy(&bits, &value, sizeof value);
  return bits;
}

template <std::size_t... I>
std::uint64_t bits_here(const Generation& given, std::uint64_t i, std::index_sequence<I...>) {
  std::uint64_t bits = 0;
  ((kTypes[I] == given.type ? void(bits = bits_here<kTypes[I]>(given, i)) : void()), ...);
  return bits;
}

Bytes drawn_here(const Generation& given, std::uint64_t count) {
  const auto size = size_of(given.type);
  Bytes bytes(count * size);
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto bits = bits_here(given, i, std::make_index_sequence<kTypes.size()>());
    std::memcpy(bytes.data() + i * size, &bits, size);
  }
  return bytes;
}

class GenerateOnGpu : public testing::Test {
 protected:
  explicit GenerateOnGpu(std::size_t room = std::size_t{256} << 20) : memory_(make_shared_memory(room, 0)) {}
  CUdeviceptr at(std::size_t offset) const { return memory_.mapping.address() + offset; }

  std::vector<float> floats(const Generation& given, std::uint64_t count) {
    jobs_.run(JobList{.generations = {{at(0), count, given}}});
    const auto bytes = get(at(0), count * sizeof(float));
    std::vector<float> values(count);
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }

  PrimaryContext context_{0};
  Jobs jobs_{0};
  SharedMemory memory_;
};

TEST_F(GenerateOnGpu, HasTheHostsBitsForEveryTypeAndDrawAtEveryPlaceAndLength) {
  for (const auto type : kTypes)
    for (const auto draw : kDraws) {
      const auto size = size_of(type);
      const auto given = generation(type, draw);
      const auto whole = drawn_here(given, 70001);
      auto expected = random_bytes(std::size_t{8} << 20, 2);
      put(at(0), expected);
      JobList list;
      std::size_t place = 0;
      for (const std::uint64_t offset : {0, 1, 3, 16})
        for (const std::uint64_t count : {0, 1, 2, 15, 16, 17, 4099, 70001}) {
          place = (place + 63) / 64 * 64 + 32;
          const auto to = place + offset * size;
          list.generations.push_back({at(to), count, given});
          std::copy_n(whole.begin(), count * size, expected.begin() + static_cast<std::ptrdiff_t>(to));
          place = to + count * size;
        }
      ASSERT_LT(place, expected.size());
      jobs_.run(list);
      EXPECT_TRUE(get(at(0), expected.size()) == expected)
          << "type " << static_cast<unsigned>(type) << ", draw " << static_cast<unsigned>(draw);
    }
}

TEST_F(GenerateOnGpu, ACheckFindsTheFirstByteThatDiffersAndChangesNothing) {
  for (const auto type : kTypes)
    for (const std::uint64_t offset : {0, 1}) {
      const Generate job{at(offset * size_of(type)), 70001, generation(type, NumberDraw::normal)};
      jobs_.run(JobList{.generations = {job}});
      const auto bytes = get(job.to, job.count * size_of(type));
      EXPECT_FALSE(jobs_.run(JobList{.checks = {job}}).front());
      for (const std::uint64_t changed :
           {std::uint64_t{0}, std::uint64_t{17}, std::uint64_t{65536}, bytes.size() - 1}) {
        flip(job.to + changed);
        flip(job.to + bytes.size());  // behind the job
        EXPECT_EQ(jobs_.run(JobList{.checks = {job}}).front(), changed) << static_cast<unsigned>(type);
        flip(job.to + changed);
        flip(job.to + bytes.size());
      }
      EXPECT_TRUE(get(job.to, bytes.size()) == bytes);
    }
}

TEST_F(GenerateOnGpu, AListIsPerformedKindByKindAndReportsComparesBeforeChecks) {
  const Generate job{at(0), 5000, generation(NumberType::f32, NumberDraw::uniform)};
  const Generate other{at(0), 5000, generation(NumberType::f32, NumberDraw::uniform, 9)};
  const auto found = jobs_.run(JobList{.moves = {{at(0), 0, 20000, 1}, {at(40000), 0, 20000, 7}},
                                       .generations = {job},
                                       .compares = {{at(0), at(40000), 20000, 0}, {at(40000), 0, 20000, 7}},
                                       .checks = {job, other}});
  ASSERT_EQ(found.size(), 4u);
  EXPECT_TRUE(found[0]) << "generated over the move";
  EXPECT_FALSE(found[1]);
  EXPECT_FALSE(found[2]);
  EXPECT_TRUE(found[3]);
}

double correlation(std::span<const float> a, std::span<const float> b) {
  double product = 0, of_a = 0, of_b = 0;
  const auto count = std::min(a.size(), b.size());
  for (std::size_t i = 0; i < count; ++i) {
    product += static_cast<double>(a[i]) * b[i];
    of_a += static_cast<double>(a[i]) * a[i];
    of_b += static_cast<double>(b[i]) * b[i];
  }
  return product / std::sqrt(of_a * of_b);
}

TEST_F(GenerateOnGpu, NormalNumbersAreStandardAndIndependentOfOtherInstancesAndPlaces) {
  constexpr std::uint64_t count = std::uint64_t{1} << 24;
  const double sigma = 1 / std::sqrt(static_cast<double>(count));
  auto given = generation(NumberType::f32, NumberDraw::normal);
  given.low = 0;
  given.high = 1;
  const auto one = floats(given, count);
  given.key = 0xfedcba0987654321ULL;
  const auto two = floats(given, count);
  double sum = 0, squares = 0;
  for (const double x : one) {
    sum += x;
    squares += x * x;
  }
  EXPECT_LT(std::fabs(sum / count), 5 * sigma);
  EXPECT_LT(std::fabs(squares / count - 1), 5 * std::sqrt(2.0) * sigma);
  const std::span a(one), b(two);
  EXPECT_LT(std::fabs(correlation(a, b)), 5 * sigma);
  for (const std::size_t shift : {1, 2, 4, 1024, 65536}) {
    EXPECT_LT(std::fabs(correlation(a.subspan(shift), b)), 5.1 * sigma) << shift;
    EXPECT_LT(std::fabs(correlation(a.subspan(shift), a)), 5.1 * sigma) << shift;
  }
}

TEST_F(GenerateOnGpu, PrintsItsSpeedBesideThatOfAMove) {
  constexpr std::uint64_t bytes = std::uint64_t{256} << 20;
  const auto rate = [&](const JobList& list) {
    jobs_.run(list);
    double shortest = 1e9;
    for (int i = 0; i < 10; ++i) {
      const auto begin = std::chrono::steady_clock::now();
      jobs_.run(list);
      shortest =
          std::min(shortest, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    return 1e-9 * static_cast<double>(bytes) / shortest;
  };
  std::printf("fill by a move: %.0f GB/s\n", rate(JobList{.moves = {{at(0), 0, bytes, 1}}}));
  for (const auto& [name, type] : {std::pair{"float64", NumberType::f64},
                                   {"float32", NumberType::f32},
                                   {"bfloat16", NumberType::bf16},
                                   {"int64", NumberType::i64},
                                   {"uint8", NumberType::u8}})
    for (const auto& [how, draw] :
         {std::pair{"normal", NumberDraw::normal}, {"uniform", NumberDraw::uniform}}) {
      const Generate job{at(0), bytes / size_of(type), generation(type, draw)};
      std::printf("%s %s: %.0f GB/s written, %.0f GB/s checked\n", name, how,
                  rate(JobList{.generations = {job}}), rate(JobList{.checks = {job}}));
      EXPECT_FALSE(jobs_.run(JobList{.checks = {job}}).front());
    }
}

}  // namespace
}  // namespace ridgeline::cuda
