// The solved examples that prompts show are judged like any answer: a wrong one would teach a mistake.
#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/engine/cli/program.hpp"

namespace ridgeline::cli {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// The fenced blocks of a template, in order.
std::vector<std::string> blocks_of(const std::string& name) {
  const auto text = read_file(RIDGELINE_SOURCE_DIR "/prompts/common/" + name + ".md");
  std::vector<std::string> blocks;
  const std::string fence = "```python\n";
  for (auto at = text.find(fence); at != std::string::npos; at = text.find(fence, at)) {
    at += fence.size();
    blocks.push_back(text.substr(at, text.find("```", at) - at));
  }
  return blocks;
}

TEST(OraclePromptExamples, AreRightBesideTheirTasks) {
  ::setenv("RIDGELINE_PYTHON", RIDGELINE_PYTHON, 1);
  const auto folder = fs::temp_directory_path() / ("ridgeline-examples-" + std::to_string(getpid()));
  fs::create_directories(folder / "level1");
  auto blocks = blocks_of("example_torch");
  for (auto& more : blocks_of("examples_more_torch")) blocks.push_back(std::move(more));
  ASSERT_EQ(blocks.size(), 6u) << "a task and an answer each";
  std::string lines;
  for (std::size_t i = 0; i < blocks.size(); i += 2) {
    const auto name = std::to_string(i / 2 + 1) + "_example";
    write_file(folder / "level1" / (name + ".py"), blocks[i]);
    lines +=
        json{{"id", name}, {"task", name}, {"language", "torch"}, {"source", blocks[i + 1]}}.dump() + "\n";
  }
  const auto ran =
      ridgeline({"evaluate", "--batch", "-", "--suite", "kernelbench:" + folder.string()}, lines);
  std::istringstream out(ran.out);
  int judged = 0;
  for (std::string line; std::getline(out, line); ++judged) {
    const auto answer = json::parse(line);
    EXPECT_EQ(answer.value("correct", false), true) << answer.dump(1);
    EXPECT_EQ(answer.at("verdict").at("faithful_correct"), true) << answer.at("id");
  }
  EXPECT_EQ(judged, 3) << ran.err;
  fs::remove_all(folder);
}

}  // namespace
}  // namespace ridgeline::cli
