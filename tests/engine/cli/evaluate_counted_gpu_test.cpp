// Counters of calls that are a single launch, and of calls that do more: with the real programs, nvcc and
// GPU.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/cuda/cupti_search.hpp"
#include "tests/engine/cli/program.hpp"
#include "tests/places.hpp"

namespace ridgeline::cli {
namespace {

struct Bytes {
  double call = 0;
  double launches = 0;  ///< their sum
  std::size_t count = 0;
};

/// At the device's memory, of an honest kernel that adds vectors of 16 MiB.
Bytes counted(const std::string& kernel) {
  const auto tests = places::sources() / "tests/testcases/cuda";
  const auto ran = ridgeline({"evaluate", (tests / "tasks/vector_add.yaml").string(),
                              (tests / "honest" / kernel).string(), "--isolation", "none", "--json"});
  EXPECT_EQ(ran.status, 0) << ran.out << ran.err;
  const auto verdict = nlohmann::json::parse(ran.out).at("verdict");
  EXPECT_EQ(verdict.at("stages").at("profile").at("status"), "passed") << verdict.at("stages").dump(1);
  Bytes bytes;
  for (const auto& roofline : verdict.at("rooflines")) {
    EXPECT_EQ(roofline.at("bytes_source"), "cupti");
    bytes.call += roofline.at("bytes").get<double>();
  }
  for (const auto& launch : verdict.at("launches")) {
    bytes.launches += launch.at("dram_bytes").get<double>();
    ++bytes.count;
  }
  return bytes;
}

class CountedOnGpu : public testing::Test {
  void SetUp() override {
    if (const auto why = cuda::counters_forbidden(); !why.empty()) FAIL() << why;
  }
};

TEST_F(CountedOnGpu, ALoneLaunchIsTheCall) {
  const auto bytes = counted("vector_add.cu");
  EXPECT_EQ(bytes.count, 1u);
  EXPECT_EQ(bytes.call, bytes.launches) << "one count does for both";
  EXPECT_GT(bytes.call, 30e6) << "both operands are read";
}

TEST_F(CountedOnGpu, AFillBesideTheLaunchBelongsToTheCall) {
  const auto bytes = counted("vector_add_fills_scratch.cu");
  EXPECT_EQ(bytes.count, 1u);
  EXPECT_GT(bytes.call, bytes.launches + 150e6) << "256 MiB are filled, of which a cache may keep some";
}

TEST_F(CountedOnGpu, ACopyBesideTheLaunchBelongsToTheCall) {
  const auto bytes = counted("vector_add_copies_scratch.cu");
  EXPECT_EQ(bytes.count, 1u);
  EXPECT_GT(bytes.call, bytes.launches + 150e6) << "128 MiB are read and written";
}

TEST_F(CountedOnGpu, ALaunchWithinAGraphIsCountedWithItsCall) {
  const auto bytes = counted("vector_add_graph.cu");
  EXPECT_GT(bytes.call, 30e6) << "both operands are read";
}

TEST_F(CountedOnGpu, CountsEachOfManyLaunches) {
  const auto bytes = counted("vector_add_many_launches.cu");
  EXPECT_GT(bytes.count, 1u);
  EXPECT_GT(bytes.call, 30e6);
}

}  // namespace
}  // namespace ridgeline::cli
