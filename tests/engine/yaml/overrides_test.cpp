#include "engine/yaml/overrides.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/yaml/json.hpp"
#include "tests/engine/yaml/message.hpp"

namespace ridgeline::yaml {
namespace {

constexpr auto text =
    "budgets:\n  tokens: 5\nseeds: [1, 2]\nitems:\n  - name: a\nshared: &s {x: 1}\nother: *s\n";

Document with(const std::vector<std::string>& overrides) {
  auto document = Document::from_text(text, "f.yaml");
  apply_overrides(document, overrides);
  return document;
}

std::string json_with(const std::vector<std::string>& overrides) {
  return to_json(with(overrides).root()).dump();
}

TEST(Overrides, SetValuesListsAndItems) {
  const auto json = to_json(with({"budgets.tokens=9", "seeds=[3]", "items.0.name=b"}).root());
  EXPECT_EQ(json["budgets"]["tokens"], 9);
  EXPECT_EQ(json["seeds"], nlohmann::json::array({3}));
  EXPECT_EQ(json["items"][0]["name"], "b");
}

TEST(Overrides, AddKeysAndMapsOnThePath) {
  EXPECT_NE(json_with({"budgets.usd=1.5"}).find(R"("usd":1.5)"), std::string::npos);
  EXPECT_NE(json_with({"limits.calls=2"}).find(R"("limits":{"calls":2})"), std::string::npos);
}

TEST(Overrides, AnAliasKeepsItsAnchorsValue) {
  const auto json = to_json(with({"other.x=7"}).root());
  EXPECT_EQ(json["other"]["x"], 7);
  EXPECT_EQ(json["shared"]["x"], 1);
}

TEST(Overrides, TheLastOneWinsAndNullRemovesAKey) {
  const auto json = to_json(with({"seeds=[3]", "seeds.0=4", "budgets=null"}).root());
  EXPECT_EQ(json["seeds"], nlohmann::json::array({4}));
  EXPECT_FALSE(json.contains("budgets"));
  EXPECT_FALSE(to_json(with({"seeds=null", "nothing=null"}).root()).contains("seeds"));
}

TEST(Overrides, PlacesNameTheOverride) {
  const auto document = with({"budgets.tokens=many"});
  auto budgets = document.root().map().map("budgets");
  EXPECT_EQ(message_of([&] { budgets.required<int>("tokens"); }),
            "--set budgets.tokens=many: 'budgets.tokens' must be a whole number, but is the text 'many'");
  const auto slip = with({"budgets.tokns=1"});
  auto read = slip.root().map().map("budgets");
  read.required<int>("tokens");
  EXPECT_EQ(message_of([&] { read.finish(); }),
            "--set budgets.tokns=1: unknown key 'tokns' in budgets; did you mean 'tokens'? (known: tokens)");
}

TEST(Overrides, ErrorsNameTheNearestKeyAndThePlace) {
  EXPECT_EQ(message_of([] { with({"budget.tokens=1"}); }),
            "--set budget.tokens=1: no 'budget' in the file; did you mean 'budgets'? "
            "(known: budgets, seeds, items, shared, other)");
  EXPECT_EQ(message_of([] { with({"items.1.name=x"}); }),
            "--set items.1.name=x: 'items' at f.yaml:5:3 is a list of 1; '1' is no index in it");
  EXPECT_EQ(
      message_of([] { with({"budgets.tokens.max=1"}); }),
      "--set budgets.tokens.max=1: 'budgets.tokens' at f.yaml:2:11 is the number 5, which has no 'max'");
  EXPECT_EQ(message_of([] { with({"budgets"}); }),
            "--set budgets: must be key=value, as in budget.total.tokens=200000");
  EXPECT_EQ(message_of([] { with({"a..b=1"}); }), "--set a..b=1: an empty key stands in the path");
  const auto bad = message_of([] { with({"seeds=[1"}); });
  EXPECT_EQ(bad.find("--set seeds=[1: this is not YAML"), 0u) << bad;
}

TEST(Overrides, AnEmptyValueIsRefused) {
  for (const std::string value : {"", "  ", "\n", "# nothing"})
    EXPECT_EQ(message_of([&] { with({"budgets.tokens=" + value}); }),
              "--set budgets.tokens=" + value + ": no value; say budgets.tokens=null to take the key away");
  EXPECT_EQ(to_json(with({"budgets.tokens=''"}).root())["budgets"]["tokens"], "");
}

TEST(Overrides, APathWithTooManyKeysIsRefused) {
  std::string path = "a";
  for (int i = 0; i < 10'000; ++i) path += ".a";
  const auto message = message_of([&] { with({path + "=1"}); });
  EXPECT_TRUE(message.ends_with("its path has too many keys")) << message;
}

TEST(YamlToJson, PlainScalarsHaveTypesAndQuotedOnesAreText) {
  const auto root =
      Document::from_text("{a: 1, b: 1.5, c: true, d: ~, e: '1', f: .inf, g: word}", "f").root();
  EXPECT_EQ(to_json(root).dump(), R"({"a":1,"b":1.5,"c":true,"d":null,"e":"1","f":".inf","g":"word"})");
}

}  // namespace
}  // namespace ridgeline::yaml
