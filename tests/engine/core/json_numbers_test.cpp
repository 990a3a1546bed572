#include "engine/core/json_numbers.hpp"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/core/codec.hpp"
#include "engine/core/json_fields.hpp"

namespace ridgeline {
namespace {

using nlohmann::json;

template <class T>
bool refused(const char* text) {
  try {
    read_json<T>(json::parse(text));
    return false;
  } catch (const Error&) {
    return true;
  }
}

TEST(JsonNumbers, AreReadUpToTheBoundsOfTheirType) {
  EXPECT_EQ(read_json<std::int64_t>(json(-9223372036854775807 - 1)), -9223372036854775807 - 1);
  EXPECT_EQ(read_json<std::uint64_t>(json(18446744073709551615u)), 18446744073709551615u);
  EXPECT_EQ(read_json<int>(json(-2147483648.0)), -2147483647 - 1);
  EXPECT_EQ(read_json<int>(json(2147483647.9)), 2147483647);
  EXPECT_EQ(read_json<unsigned>(json(-0.9)), 0u);
}

TEST(JsonNumbers, BeyondTheirTypeAreRefused) {
  for (const char* text : {"1e300", "-1e300", "9223372036854775808.0", "9223372036854775808"})
    EXPECT_TRUE(refused<std::int64_t>(text)) << text;
  for (const char* text : {"2147483648", "2147483648.0", "-2147483649", "-2147483649.0"})
    EXPECT_TRUE(refused<int>(text)) << text;
  for (const char* text : {"-1", "-1.0", "18446744073709551616.0"})
    EXPECT_TRUE(refused<std::uint64_t>(text)) << text;
}

TEST(JsonNumbers, AreRefusedWithinSequencesMapsAndOptionals) {
  EXPECT_TRUE(refused<std::vector<std::int64_t>>("[1, 1e300]"));
  EXPECT_TRUE((refused<std::array<std::uint32_t, 2>>("[1, -1]")));
  EXPECT_TRUE((refused<std::map<std::string, std::int64_t>>(R"({"n": 1e300})")));
  EXPECT_TRUE(refused<std::optional<int>>("1e300"));
  EXPECT_FALSE(refused<std::optional<int>>("null"));
  EXPECT_FALSE(refused<std::vector<double>>("[1e300]")) << "a double holds it";
}

TEST(JsonNumbers, OfFieldsKeepTheirDefaultOrAreChecked) {
  EXPECT_EQ(read_json(json::object(), "line", 7), 7);
  EXPECT_THROW(read_json(json{{"line", 1e300}}, "line", 7), Error);
  EXPECT_THROW(read_json(json{{"line", "x"}}, "line", 7), json::exception);
  EXPECT_THROW(read_json(json::array(), "line", 7), json::exception);
}

TEST(JsonNumbers, OfAVerdictAreChecked) {
  Verdict verdict;
  verdict.mismatches.push_back({.case_name = "small", .first = {{{1}, 2, 3}}});
  verdict.resources = {{"f", "sm_90", 40}};
  const json document(verdict);
  for (const char* place :
       {"/mismatches/0/first/0/index/0", "/mismatches/0/wrong", "/resources/0/registers"}) {
    auto changed = document;
    changed[json::json_pointer(place)] = 1e300;
    EXPECT_THROW(changed.get<Verdict>(), Error) << place;
  }
}

}  // namespace
}  // namespace ridgeline
