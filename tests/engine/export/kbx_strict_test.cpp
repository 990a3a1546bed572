// Lines as KernelBench-X's own corpus has them, and difflib's figures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/export/export.hpp"
#include "engine/export/formats.hpp"
#include "engine/export/schema.hpp"
#include "engine/export/sequence_match.hpp"
#include "tests/engine/export/filled_store.hpp"

namespace ridgeline::exporting {
namespace {

using nlohmann::json;

TEST(KbxStrict, HasTheCorpusKeysWordsAndFiguresAlone) {
  const store::samples::FilledStore filled;
  ExportOptions options;
  options.format = Format::kbx;
  options.strict = true;
  options.split = Split::train;
  std::vector<json> lines;
  const auto report = export_store(filled.reader(), options, [&](Split, const std::string& line) {
    lines.push_back(json::parse(line));
    EXPECT_EQ(departure(lines.back(), schema_of(options)), "");
  });
  std::vector<std::string> kinds;
  for (const auto& line : lines) {
    EXPECT_EQ(line.size(), 15u);
    EXPECT_EQ(line.at("task_id"), "Math/matmul.py");
    kinds.push_back(line.at("kind").get<std::string>());
  }
  EXPECT_THAT(kinds, testing::ElementsAre("call_fail_to_pass", "exe_fail_to_pass,perf_ok_newly",
                                          "speedup_increase", "regression_exe,regression_perf"));
  EXPECT_EQ(report.left_out.at("none of the corpus's kinds"), 2) << "still no call; the very same time";
  EXPECT_EQ(lines[1].at("transition"), "round_2_to_round_4");
  EXPECT_EQ(lines[1].at("from_round"), "round_2");
  EXPECT_EQ(lines[1].at("before").at("dtype"), "") << "it was not timed";
  EXPECT_EQ(lines[1].at("after").at("dtype"), "float32");
  EXPECT_EQ(lines[1].at("after").at("error"), "");
  EXPECT_THAT(lines[1].at("unified_diff").get<std::string>(),
              testing::StartsWith("--- Math/matmul.py::before\n+++ Math/matmul.py::after\n@@ -"));
  const double ms = lines[1].at("after").at("runtime_ms");
  EXPECT_NEAR(ms * 1e4, std::round(ms * 1e4), 1e-9) << "four digits";
  EXPECT_EQ(lines[3].at("notes"), "regression");
  for (const auto& value : lines[2].at("llm_fields").at("memory_after_round_from"))
    EXPECT_TRUE(value.is_null());
}

TEST(SequenceMatch, HasDifflibsFigures) {
  const auto small = match_sequences("a\nb\nc\nd\n", "a\nx\nc\nd\ne\n");
  EXPECT_NEAR(small.ratio, 0.666666666667, 1e-12);
  EXPECT_EQ(small.opcodes, 4);
  EXPECT_EQ(small.lines_a, 4);
  EXPECT_EQ(small.lines_b, 5);
  EXPECT_EQ(match_sequences("", "").ratio, 1);
  EXPECT_EQ(match_sequences("", "").opcodes, 0);
  EXPECT_EQ(match_sequences("", "a\n").opcodes, 1);
  std::string a, b;
  for (int i = 0; i < 40; ++i) {
    a += "x = " + std::to_string(i * i % 7) + "\n";
    b += "x = " + std::to_string(i * i % 5) + "\n";
  }
  EXPECT_NEAR(match_sequences(a, b).ratio, 0.7, 1e-12);
  EXPECT_EQ(match_sequences(a, b).opcodes, 12);
}

TEST(SequenceMatch, LinesThatAreFrequentInLongTextsBeginNoMatch) {
  std::string a, b;
  for (int i = 0; i < 240; ++i) a += i % 3 == 0 ? "}\n" : "l" + std::to_string(i % 50) + "\n";
  for (int i = 0; i < 260; ++i) b += i % 4 == 0 ? "}\n" : "l" + std::to_string(i * 7 % 50) + "\n";
  EXPECT_NEAR(match_sequences(a, b).ratio, 0.036, 1e-12);
  EXPECT_EQ(match_sequences(a, b).opcodes, 18);
  EXPECT_NEAR(match_sequences(b, a).ratio, 0.052, 1e-12);
  EXPECT_EQ(match_sequences(b, a).opcodes, 17);
}

}  // namespace
}  // namespace ridgeline::exporting
