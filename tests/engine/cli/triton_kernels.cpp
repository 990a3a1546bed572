#include "tests/engine/cli/triton_kernels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "tests/places.hpp"

namespace ridgeline::cli {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& file) {
  std::ifstream stream(file);
  std::stringstream text;
  text << stream.rdbuf();
  if (!stream) throw std::runtime_error("cannot read " + file.string());
  return std::move(text).str();
}

/// Returns the rest of the line in `source` that begins with "# key: ". Throws where there is none.
std::string header(const std::string& source, const std::string& key, const fs::path& file) {
  const auto mark = "# " + key + ": ";
  const auto at = source.find(mark);
  if (at == std::string::npos) throw std::runtime_error(file.string() + " lacks '" + mark + "'");
  const auto begin = at + mark.size();
  return source.substr(begin, source.find('\n', begin) - begin);
}

std::set<std::string> alternatives(const std::string& text) {
  std::set<std::string> all;
  for (std::size_t at = 0; at <= text.size();) {
    const auto end = std::min(text.find(" | ", at), text.size());
    all.insert(text.substr(at, end - at));
    at = end + 3;
  }
  return all;
}

std::vector<fs::path> python_files(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(places::sources() / folder))
    if (entry.path().extension() == ".py") files.push_back(entry.path());
  std::ranges::sort(files);
  return files;
}

}  // namespace

std::vector<TritonKernel> honest_triton_kernels(const std::set<std::string>& names) {
  std::vector<TritonKernel> kernels;
  for (const auto& file : python_files("tests/benchmark_tasks/kernels")) {
    const auto name = file.stem().string();
    if (names.empty() || names.contains(name))
      kernels.push_back({name, name, text_of(file), {"passed"}, "honest"});
  }
  return kernels;
}

std::vector<TritonKernel> misbehaving_triton_kernels() {
  std::vector<TritonKernel> kernels;
  for (const auto& file : python_files("tests/testcases/triton")) {
    auto source = text_of(file);
    auto task = header(source, "task", file);
    auto expected = alternatives(header(source, "expect", file));
    kernels.push_back({file.stem().string(), std::move(task), std::move(source), std::move(expected),
                       file.parent_path().filename().string()});
  }
  return kernels;
}

std::vector<std::string> python_blocks(const std::string& file) {
  const auto text = text_of(places::sources() / file);
  const std::string fence = "```python\n";
  std::vector<std::string> blocks;
  for (auto at = text.find(fence); at != std::string::npos; at = text.find(fence, at)) {
    at += fence.size();
    blocks.push_back(text.substr(at, text.find("```", at) - at));
  }
  return blocks;
}

Batch judged_on(const std::vector<TritonKernel>& kernels, const std::string& backend,
                std::vector<std::string> more) {
  Batch batch;
  for (const auto& kernel : kernels) batch.ask(kernel.name, kernel.task, "triton", kernel.source);
  more.insert(more.end(), {"--backend", backend, "--fallback", "reject", "--isolation", "none"});
  batch.run(more);
  return batch;
}

std::string outcome_of(const Batch& batch, const std::string& name) {
  for (const char* stage : {"build", "call", "correctness", "timing"}) {
    const std::string status = batch.stage(name, stage).at("status");
    if (status == "failed" || status == "unavailable")
      return std::string(stage) + " " + batch.reason(name, stage);
  }
  return batch.stage(name, "correctness").at("status") == "passed" ? "passed" : "not judged";
}

void expect_outcomes(const std::vector<TritonKernel>& kernels, const Batch& batch) {
  for (const auto& kernel : kernels) {
    const auto outcome = outcome_of(batch, kernel.name);
    EXPECT_TRUE(kernel.expected.contains(outcome)) << kernel.name << ": " << outcome << "\n"
                                                   << batch.failure(kernel.name);
  }
}

}  // namespace ridgeline::cli
