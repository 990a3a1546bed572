#include "tests/engine/cli/batch.hpp"

#include <sstream>
#include <stdexcept>

#include "tests/engine/cli/program.hpp"

namespace ridgeline::cli {

using nlohmann::json;

void Batch::ask(const std::string& id, const std::string& task, const std::string& language,
                const std::string& source) {
  lines_ += json{{"id", id}, {"task", task}, {"language", language}, {"source", source}}.dump() + "\n";
}

void Batch::ask_compiled(const std::string& id, const std::string& task, const std::string& mode) {
  lines_ += json{{"id", id}, {"task", task}, {"torch_compile", mode}}.dump() + "\n";
}

void Batch::run(const std::vector<std::string>& more) {
  std::vector<std::string> words{"evaluate", "--batch", "-"};
  words.insert(words.end(), more.begin(), more.end());
  const auto ran = ridgeline(words, lines_);
  error_output_ = ran.err;
  std::istringstream out(ran.out);
  for (std::string line; std::getline(out, line);) {
    auto answer = json::parse(line);
    const std::string id = answer.at("id");
    verdicts_[id] = std::move(answer);
  }
}

const json& Batch::verdict(const std::string& id) const {
  const auto found = verdicts_.find(id);
  if (found == verdicts_.end()) throw std::runtime_error("no verdict of " + id + ": " + error_output_);
  return found->second;
}

const json& Batch::stage(const std::string& id, const std::string& name) const {
  return verdict(id).at("verdict").at("stages").at(name);
}

std::string Batch::reason(const std::string& id, const std::string& stage_name) const {
  return stage(id, stage_name).at("reason");
}

std::string Batch::detail(const std::string& id, const std::string& stage_name) const {
  return stage(id, stage_name).at("detail");
}

std::string Batch::failure(const std::string& id) const {
  for (const char* name : {"build", "call", "correctness", "timing"})
    if (stage(id, name).at("status") != "passed")
      return std::string(name) + ": " + reason(id, name) + ": " + detail(id, name);
  return "none";
}

std::string normalised_layer(const std::string& body, const std::string& before) {
  return "import torch\n" + before +
         "class ModelNew(torch.nn.Module):\n"
         "    def __init__(self, features, width, eps):\n"
         "        super().__init__()\n"
         "        self.linear = torch.nn.Linear(features, width)\n"
         "        self.norm = torch.nn.BatchNorm1d(width, eps=eps)\n"
         "        self.calls = 0\n"
         "    def forward(self, x):\n" +
         body;
}

}  // namespace ridgeline::cli
