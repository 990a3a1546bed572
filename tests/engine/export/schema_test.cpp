// The columns and types of every line of every format are those that the card and parquet say.
#include "engine/export/schema.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/core/error.hpp"
#include "engine/export/export.hpp"
#include "engine/export/formats.hpp"
#include "tests/engine/export/filled_store.hpp"

namespace ridgeline::exporting {
namespace {

using nlohmann::json;
using testing::HasSubstr;

bool holds_null_or_an_empty_list(const json& value) {
  if (value.is_null() || (value.is_array() && value.empty())) return true;
  if (!value.is_structured()) return false;
  for (const auto& part : value)
    if (holds_null_or_an_empty_list(part)) return true;
  return false;
}

TEST(Schema, EveryLineOfEveryFormatHasIt) {
  const store::samples::FilledStore filled;
  for (const auto& format : enum_names(Format{}))
    for (const auto turns : {Turns::one, Turns::all})
      for (const auto pairs : {Pairs::siblings, Pairs::transition}) {
        ExportOptions options;
        options.format = format.value;
        // This store's answers are no submissions: kbx_predictions_test.cpp has some.
        if (format.value == Format::kbx_predictions) continue;
        options.turns = turns;
        options.pairs = pairs;
        options.include_first_attempts = options.include_incomplete = options.include_flagged = true;
        const auto schema = schema_of(options);
        const bool trains = !is_for_analysis(options.format);
        const auto report = export_store(filled.reader(), options, [&](Split, const std::string& text) {
          const auto line = json::parse(text);
          EXPECT_EQ(departure(line, schema), "") << format.name;
          EXPECT_FALSE(trains && holds_null_or_an_empty_list(line)) << format.name << ": " << text;
        });
        EXPECT_GT(report.lines, 0) << format.name;
      }
}

TEST(Schema, NamesWhatDeparts) {
  const json schema = {{"a", "string"}, {"b", json::array({{{"c", "float64"}}})}, {"d", "int64?"}};
  const auto says = [&](const char* line) { return departure(json::parse(line), schema); };
  EXPECT_EQ(says(R"({"a": "", "b": [], "d": null})"), "");
  EXPECT_EQ(says(R"({"a": null, "b": [], "d": 1})"), "a: is null, not string");
  EXPECT_EQ(says(R"({"a": "x", "b": [{"c": 1}], "d": 1})"), "b[].c: is number, not float64");
  EXPECT_EQ(says(R"({"a": "x", "b": [{"c": 1.5, "e": 2}], "d": 1})"), "b[].e: is no column");
  EXPECT_EQ(says(R"({"a": "x", "b": {}, "d": 1})"), "b: is object, not a list");
  EXPECT_EQ(says(R"({"a": "x", "b": []})"), "d: is missing");
}

TEST(Schema, IsReadFromASampleThatIsFull) {
  EXPECT_EQ(schema_of_sample(json::parse(R"({"a": [1.5], "b": {"c": true, "d": "x"}})")),
            json::parse(R"({"a": ["float64"], "b": {"c": "bool", "d": "string"}})"));
  EXPECT_THROW(schema_of_sample(json::parse(R"({"a": []})")), Error);
  EXPECT_THROW(schema_of_sample(json::parse(R"({"a": null})")), Error);
}

TEST(Schema, IsWrittenAsDatasetsWritesIt) {
  const json schema = {{"a", json::array({{{"role", "string"}}})},
                       {"b", "bool"},
                       {"c", {{"l", json::array({"float64?"})}}},
                       {"d", json::array({json::array({"int64"})})}};
  EXPECT_EQ(yaml_features(schema, 0), R"(- name: a
  list:
  - name: role
    dtype: string
- name: b
  dtype: bool
- name: c
  struct:
  - name: l
    list: float64
- name: d
  list:
    list: int64
)");
}

}  // namespace
}  // namespace ridgeline::exporting
