#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "engine/compare/json.hpp"
#include "engine/compare/table.hpp"
#include "tests/engine/compare/trajectories.hpp"

namespace ridgeline::compare {
namespace {

using namespace samples;

TEST(TerminalTable, ShowsFiguresAndNotes) {
  const auto text = terminal_table(two_strategies());
  EXPECT_NE(text.find("Equal budget: at most 3 calls a trajectory"), std::string::npos);
  EXPECT_NE(text.find("1/2 50%"), std::string::npos);
  EXPECT_NE(text.find("4.00× [4.00, 4.00]"), std::string::npos);
  EXPECT_NE(text.find("Note: single never used more than 1 of 3 calls."), std::string::npos);
}

TEST(TerminalTable, BeginsWithWhatFollows) {
  const auto text = terminal_table(two_strategies());
  EXPECT_EQ(text.find("No difference is shown at equal budget: loop <b> against single 2.00× (95 % "), 0u)
      << text;
  EXPECT_NE(text.find("2 tasks are too few to show any, 6 are the least.\n"), std::string::npos) << text;
  EXPECT_NE(text.find("The machine's noise floor is not known"), std::string::npos) << text;
  EXPECT_NE(text.find("single / loop <b>      2  0.50× ["), std::string::npos) << text;
}

TEST(TerminalTable, MarksFlaggedKernels) {
  const std::vector trajectories{trajectory("single", "softmax", {flagged(9)})};
  const auto text = terminal_table(compare(trajectories, {}));
  EXPECT_NE(text.find(" flagged  calls"), std::string::npos) << text;
  EXPECT_NE(text.find("softmax      Math  flagged"), std::string::npos) << text;
  EXPECT_NE(terminal_table(compare(trajectories, {.include_flagged = true})).find("9.00×!"),
            std::string::npos);
}

TEST(TerminalTable, ShowsUnjudgedAndIncompleteTrajectoriesApart) {
  std::vector trajectories{trajectory("single", "softmax", {lost()}),
                           trajectory("single", "gemm", {correct(2), lost()}),
                           trajectory("single", "abs", {wrong()})};
  trajectories[2].incomplete = "interrupted";
  const auto text = terminal_table(compare(trajectories, {}));
  EXPECT_NE(text.find("tried  not judged  incomplete  compiled"), std::string::npos) << text;
  EXPECT_NE(text.find("softmax      Math  not judged"), std::string::npos) << text;
  EXPECT_NE(text.find("1/1 100% [21, 100], 2.00×, 1 not judged"), std::string::npos) << text;
  EXPECT_NE(text.find("Note: incomplete: 1 (1 interrupted)"), std::string::npos) << text;
}

TEST(TerminalTable, IsPrintedIfNothingHasFinished) {
  std::vector trajectories{trajectory("single", "softmax", {correct(2)})};
  trajectories[0].incomplete = "running";
  const auto comparison = compare(trajectories, {});
  EXPECT_NE(terminal_table(comparison).find("incomplete: 1 (1 running)"), std::string::npos);
}

TEST(TerminalTable, FitsTheTerminal) {
  for (const std::size_t columns : {60u, 80u, 120u}) {
    std::istringstream lines(terminal_table(two_strategies(), {.columns = columns}));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(text_width(line), columns) << line;
  }
}

TEST(TerminalTable, HasColoursOnlyWhereTheTerminalHas) {
  EXPECT_EQ(terminal_table(two_strategies(), {.columns = 80}).find('\x1b'), std::string::npos);
  EXPECT_EQ(terminal_table(two_strategies(), {.columns = 80, .colours = true}).find("\x1b[1mNo difference"),
            0u);
}

TEST(TerminalTable, AlignsColumnsByCodePoints) {
  std::istringstream lines(terminal_table(two_strategies()));
  std::string line, header;
  while (std::getline(lines, line) && line != "Tasks") {
  }
  std::getline(lines, header);
  const auto width = [](const std::string& text) {
    return std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; });
  };
  std::vector<long> ends;
  for (int i = 0; i < 2 && std::getline(lines, line); ++i) ends.push_back(width(line));
  ASSERT_EQ(ends.size(), 2u);
  EXPECT_EQ(ends[0], ends[1]) << "right-aligned: the dash of one row ends under the name of the other";
}

TEST(TerminalTable, SaysWhatSolvedTasksDependOn) {
  std::vector<ComparedTrajectory> trajectories;
  for (const auto* task : {"softmax", "relu", "matmul", "conv2d"})
    for (const auto* strategy : {"single", "loop"}) {
      const bool solved = strategy == std::string("loop") || task == std::string("relu");
      trajectories.push_back(trajectory(strategy, task, {solved ? correct(2) : wrong()}));
      trajectories.back().category = task == std::string("conv2d") ? "Convolution" : "Math";
    }
  const auto comparison = compare(trajectories, {});
  ASSERT_TRUE(comparison.attribution);
  EXPECT_EQ(comparison.attribution->trials, 8);
  EXPECT_EQ(comparison.attribution->solved, 5);
  EXPECT_EQ(comparison.attribution->tasks, 4);
  EXPECT_GT(comparison.attribution->strategy.share, comparison.attribution->category.share);
  const auto text = terminal_table(comparison);
  EXPECT_NE(text.find("\nWhat solved tasks depend on\n"), std::string::npos) << text;
  EXPECT_NE(text.find("\n  strategy "), std::string::npos) << text;
  const auto document = to_json(comparison);
  EXPECT_EQ(document.at("attribution").at("strategy").at("degrees"), 1);
  EXPECT_EQ(document.at("attribution").at("solved"), 5);
  EXPECT_TRUE(to_json(compare({trajectories[0]}, {})).at("attribution").is_null());
}

TEST(Json, HasASchemaAndKeepsTheFigures) {
  const auto document = to_json(two_strategies());
  EXPECT_EQ(document.at("schema"), "ridgeline-comparison");
  EXPECT_EQ(document.at("version"), json_schema_version);
  EXPECT_EQ(document.at("budget").at("calls"), 3);
  EXPECT_TRUE(document.at("budget").at("usd").is_null());
  const auto& loop = document.at("strategies").at(1);
  EXPECT_EQ(loop.at("label"), "loop <b>");
  EXPECT_DOUBLE_EQ(loop.at("speedup").at("geometric_mean").get<double>(), 4);
  EXPECT_EQ(loop.at("fast").at(5).at("trajectories"), 1);
  EXPECT_TRUE(document.at("strategies").at(0).at("rescued").at("geometric_mean").is_null());
  EXPECT_EQ(document.at("tasks").at(1).at("fastest"), 1);
  EXPECT_EQ(document.at("categories").size(), 2u);
  EXPECT_EQ(document.at("flagged_included"), false);
  EXPECT_EQ(document.at("conclusion").at("sentence"), two_strategies().conclusion.sentence);
  EXPECT_TRUE(document.at("conclusion").at("best").is_null());
  EXPECT_EQ(document.at("contrasts").at(0).at("tasks"), 2);
  EXPECT_EQ(document.at("contrasts").at(0).at("differences").size(), 2u);
  EXPECT_EQ(document.at("contrasts").at(0).at("solved").at("more"), (nlohmann::json{0, 0}));
  EXPECT_EQ(document.at("noise_floors"), nlohmann::json::array());
  EXPECT_EQ(document.at("differences"), nlohmann::json::array());
  EXPECT_EQ(loop.at("strategy"), "loop <b>");
  EXPECT_EQ(loop.at("flagged"), 0);
  EXPECT_EQ(loop.at("not_judged"), 0);
  EXPECT_EQ(loop.at("incomplete"), 0);
  EXPECT_EQ(document.at("curves").at(0).size(), document.at("curves").at(1).size());
}

}  // namespace
}  // namespace ridgeline::compare
