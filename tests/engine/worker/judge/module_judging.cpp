#include "tests/engine/worker/judge/module_judging.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "engine/worker/protocol/torch_job.hpp"

namespace ridgeline::judge {

std::string python_as_the_agent_says_it(const languages::PythonToolchain& python) {
  return nlohmann::json{
      {"program", python.program}, {"folders", python.folders}, {"torch_version", python.torch_version}}
      .dump();
}

Verdict judge_module(JudgeProgram& judge, const Task& task, const Candidate& candidate) {
  const auto job =
      std::filesystem::temp_directory_path() / ("ridgeline-module-" + std::to_string(::getpid()) + ".json");
  std::ofstream(job) << protocol::to_json(
      protocol::torch_job(task, "ModelNew", candidate.source, "answer.py"));
  protocol::EvaluateSettings settings;
  settings.profile = false;
  const auto answer =
      judge.ask(protocol::JudgeRequest{"1", task, job.string(), candidate, std::move(settings)});
  std::filesystem::remove(job);
  if (const auto* failed = std::get_if<protocol::Failed>(&answer)) throw std::runtime_error(failed->message);
  auto verdict = std::get<protocol::Judged>(answer).verdict;
  verdict.at(Stage::build).status = Status::passed;
  return verdict;
}

}  // namespace ridgeline::judge
