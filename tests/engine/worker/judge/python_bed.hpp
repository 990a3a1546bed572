// A runner that is an interpreter, on the Python that the build found, and a task of three vectors for it.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "engine/worker/judge/arenas/host_arena.hpp"
#include "engine/worker/judge/runners/runner_process.hpp"
#include "engine/worker/languages/python_toolchain.hpp"
#include "engine/worker/protocol/torch_job.hpp"
#include "tests/engine/worker/judge/judge_program.hpp"

namespace ridgeline::judge {

class PythonBed : public testing::Test {
 protected:
  static constexpr double kLimit = 60;
  static constexpr std::size_t kSlots = 3;
  static constexpr std::int64_t kElements = 1031;

  static const languages::PythonToolchain& toolchain() {
    static const auto found = languages::ask_python(RIDGELINE_PYTHON);
    if (const auto* none = std::get_if<languages::NoPython>(&found)) throw std::runtime_error(none->reason);
    return std::get<languages::PythonToolchain>(found);
  }

  static RunnerSettings settings() {
    static const auto level = sandbox::best_level(sandbox::probe_isolation());
    const auto& python = toolchain();
    RunnerSettings settings;
    settings.scratch_parent = std::filesystem::temp_directory_path();
    settings.level = level;
    settings.python = PythonProgram{.program = python.program,
                                    .library = RIDGELINE_BIN_DIR "/libridgeline-python-runner.so",
                                    .folders = {python.folders.begin(), python.folders.end()},
                                    .torch_version = python.torch_version};
    return settings;
  }

  /// x and y in, z out, all of kElements; forward takes both.
  static protocol::TorchJob job(const std::string& source) {
    protocol::TorchJob job;
    job.source = source;
    for (const char* name : {"x", "y", "z"})
      job.tensors.push_back(
          {.name = name, .role = *name == 'z' ? Role::out : Role::in, .shape = {kElements}});
    job.forward = {protocol::TensorAt{0}, protocol::TensorAt{1}};
    return job;
  }

  /// A class ModelNew with these methods' text.
  static std::string model(const std::string& body) {
    return "import ctypes, os, socket, sys, threading, time\nimport torch\nfrom torch import nn\n"
           "class ModelNew(nn.Module):\n" +
           body;
  }

  RunnerAnswer load(const protocol::TorchJob& job, double limit = kLimit) {
    const auto path =
        std::filesystem::temp_directory_path() / ("torch-job-" + std::to_string(::getpid()) + ".json");
    std::ofstream(path) << protocol::to_json(job);
    auto answer = runner_.load(path, limit);
    std::filesystem::remove(path);
    return answer;
  }

  /// Loads, maps, arranges, and fills x with 0, 1, 2, … and y with 2.
  void ready(const protocol::TorchJob& job) {
    const auto loaded = load(job);
    ASSERT_EQ(told(loaded), "ok");
    ASSERT_EQ(told(runner_.map(arena_, kLimit)), "ok");
    ASSERT_EQ(told(runner_.arrange(arena_, kSlots, task_, case_, kLimit)), "ok");
    fill();
  }
  void ready(const std::string& source) { ready(job(source)); }

  void fill() {
    for (std::size_t slot = 0; slot < kSlots; ++slot)
      for (std::int64_t i = 0; i < kElements; ++i) {
        at(slot, 0)[i] = static_cast<float>(i);
        at(slot, 1)[i] = 2;
        at(slot, 2)[i] = -1;
      }
  }

  float* at(std::size_t slot, std::size_t argument) {
    return reinterpret_cast<float*>(arena_.data(slot, argument));
  }

  /// "ok", the words of a refusal, or how the runner ended.
  std::string told(const RunnerAnswer& answer) {
    if (const auto* reply = std::get_if<runner::Reply>(&answer)) {
      const std::string text(reply->text.data(), reply->text_bytes);
      switch (reply->answer) {
        case runner::Answer::ok:
          return "ok";
        case runner::Answer::load_error:
          return "load: " + text;
        case runner::Answer::no_entry_point:
          return "no entry: " + text;
        case runner::Answer::call_error:
          return "call: " + text;
        default:
          return "refused: " + text;
      }
    }
    const auto& end = std::get<RunnerExit>(answer);
    if (end.cause == RunnerExit::Cause::hung) return "hung";
    if (end.cause != RunnerExit::Cause::ended) return "forged or closed";
    return sandbox::describe(end.outcome) + (end.fault ? ", told" : "");
  }
  std::string call(std::size_t slot = 0, std::size_t count = 1) {
    return told(runner_.call(slot, count, kLimit).answer);
  }
  /// Loads a candidate whose forward executes `forward`, calls it and returns the answer in words.
  std::string end_of(const std::string& forward) {
    ready(model("    def forward(self, x, y):\n        " + forward + "\n        return x + y\n"));
    return call();
  }

  Task task_ = testcase_task("vector_add");
  const Case& case_ = *task_.find_case("ragged");
  HostArena arena_{task_, case_, kSlots, 9};
  RunnerProcess runner_{settings()};
};

}  // namespace ridgeline::judge
