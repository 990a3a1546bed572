#include "tests/engine/cli/prompt_examples.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <vector>

#include "tests/places.hpp"

namespace ridgeline::cli {

namespace {

constexpr std::size_t kExamples = 3;

/// The fenced blocks of a template, in order.
std::vector<std::string> blocks_of(const std::string& name) {
  std::ostringstream whole;
  whole << std::ifstream(places::sources() / "prompts/common" / (name + ".md")).rdbuf();
  const auto text = whole.str();
  std::vector<std::string> blocks;
  const std::string fence = "```python\n";
  for (auto at = text.find(fence); at != std::string::npos; at = text.find(fence, at)) {
    at += fence.size();
    blocks.push_back(text.substr(at, text.find("```", at) - at));
  }
  return blocks;
}

}  // namespace

void ask_examples(Batch& batch, const std::filesystem::path& clone, const std::string& dialect, int first) {
  auto blocks = blocks_of("example_" + dialect);
  for (auto& more : blocks_of("examples_more_" + dialect)) blocks.push_back(std::move(more));
  if (blocks.size() != 2 * kExamples)
    throw std::runtime_error(dialect + ": a task and an answer each are wanted, of three");
  std::filesystem::create_directories(clone / "level1");
  for (std::size_t i = 0; i < kExamples; ++i) {
    const auto task = std::to_string(first + static_cast<int>(i)) + "_example";
    std::ofstream(clone / "level1" / (task + ".py")) << blocks[2 * i];
    batch.ask(dialect + std::to_string(i), task, dialect == "triton" ? "triton" : "torch", blocks[2 * i + 1]);
  }
}

}  // namespace ridgeline::cli
