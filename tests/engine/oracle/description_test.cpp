#include "engine/oracle/description.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/core/error.hpp"

namespace ridgeline::oracle {
namespace {

nlohmann::json described() {
  return nlohmann::json::parse(R"({"init": {"arguments": [], "named": {}}, "state": [],
    "inputs": [{"name": "k", "dtype": "int64", "shape": [4], "made": {"kind": "integers", "low": 0, "high": 9}}],
    "outputs": [{"name": "out", "dtype": "float32", "shape": [4, 8]}], "training": true,
    "bytes": {"state": 512, "inputs": 256, "outputs": 128, "forward": 400}, "operations": 1056,
    "longest_sum": 16, "all_sums": 16, "found_by": "run", "available": 1000000})");
}

TEST(Description, CountsBeyondAnyMachineAreALargeCountWhoseSumsDoNotOverflow) {
  auto document = described();
  document["bytes"]["inputs"] = 1e300;
  document["bytes"]["outputs"] = 18446744073709551615u;
  const auto read = document.get<Description>();
  EXPECT_EQ(read.bytes.state, 512u);
  EXPECT_EQ(read.bytes.inputs, std::uint64_t{1} << 60);
  EXPECT_EQ(read.bytes.outputs, std::uint64_t{1} << 60);
  EXPECT_GT(4 * read.bytes.state + 3 * read.bytes.inputs + 2 * read.bytes.outputs, read.bytes.inputs);
}

TEST(Description, OtherNumbersThatTheirTypeDoesNotHoldAreRefused) {
  for (const char* place :
       {"/inputs/0/shape/0", "/inputs/0/made/high", "/outputs/0/shape/1", "/bytes/forward", "/available"}) {
    auto document = described();
    document[nlohmann::json::json_pointer(place)] = -1e300;
    EXPECT_THROW(document.get<Description>(), Error) << place;
  }
}

}  // namespace
}  // namespace ridgeline::oracle
