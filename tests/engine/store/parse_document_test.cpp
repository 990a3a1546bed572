#include "engine/store/parse_document.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/core/codec.hpp"
#include "engine/core/error.hpp"
#include "tests/engine/store/samples.hpp"

namespace ridgeline::store {
namespace {

using nlohmann::json;

TEST(ParseDocument, GivesWhatNlohmannsParserGives) {
  const std::string texts[] = {
      "{}",
      "[]",
      "null",
      "3",
      "\"\"",
      R"({"a":[1,-2,3.5,true,false,null,{"b":{}}],"c":"\u20ac\n\"","d":[[],[{}]]})",
      R"({"z":1,"a":2,"z":18446744073709551615})",
      dump_json(samples::correct_verdict("t", "c")),
      dump_json(samples::failed_verdict("t", "c", Stage::correctness, Reason::wrong_values), 2)};
  for (const auto& text : texts) EXPECT_EQ(parse_document(text), json::parse(text)) << text;
}

TEST(ParseDocument, ReadsNumbersExactly) {
  Random random(11);
  for (int i = 0; i < 20'000; ++i) {
    const double number = (random.uniform() - 0.5) * std::pow(10, random.below(600) - 300.0);
    const auto text = json(number).dump();
    EXPECT_EQ(parse_document(text).get<double>(), number) << text;
  }
}

TEST(ParseDocument, RefusesWhatIsNoJson) {
  for (const std::string text : {"", "{", R"({"a":1)", R"({"a":1}})", "[1,]", "nan", "\"\xff\""})
    EXPECT_THROW(parse_document(text), Error) << text;
}

}  // namespace
}  // namespace ridgeline::store
