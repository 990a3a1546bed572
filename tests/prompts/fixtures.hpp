// A task, verdicts and asks for the tests of prompts.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "engine/core/effects.hpp"
#include "prompts/renderer.hpp"

namespace ridgeline::testing {

inline Task softmax_task() {
  Task task;
  task.name = "softmax";
  task.category = "Math";
  task.description = "Softmax along the last axis.";
  task.formula = "y[i, j] = exp(x[i, j]) / sum_k exp(x[i, k])";
  task.sizes = {"M", "N"};
  Tensor x;
  x.name = "x";
  x.shape = {Expression::parse("M"), Expression::parse("N")};
  Tensor y = x;
  y.name = "y";
  y.role = Role::out;
  task.parameters = {x, y};
  task.cases = {Case{"square", {{"M", 1024}, {"N", 1024}}, true, false, false},
                Case{"ragged", {{"M", 37}, {"N", 129}}, false, false, false},
                Case{"secretcase", {{"M", 31337}, {"N", 77777}}, true, true, false},
                Case{"finalcase", {{"M", 41414}, {"N", 51515}}, false, false, true}};
  task.reference = "def reference(x):\n    return torch.softmax(x, -1)\n";
  task.contract = Elementwise{Expression::parse("N"), 1, false};
  return task;
}

/// Numbers and names that no prompt may hold.
inline const std::vector<std::string>& secrets() {
  static const std::vector<std::string> all{"secretcase", "31337", "77777", "finalcase", "41414", "51515"};
  return all;
}

inline std::string kernel_source(const std::string& body = "  y[0] = x[0];") {
  return "#include <cstdint>\n\nextern \"C\" void kernel_softmax(const float* x, float* y, int64_t M, "
         "int64_t N,\n"
         "                               void* stream) {\n" +
         body + "\n}\n";
}

inline ScoredCandidatePtr evaluated(std::string source, Verdict verdict, int round = 0) {
  return std::make_shared<const ScoredCandidate>(
      ScoredCandidate{make_candidate(Language::cpp, std::move(source)), std::move(verdict), round});
}

/// Fails at `stage` after passing those before it.
inline Verdict failing_at(Stage stage, Reason reason, std::string detail = "") {
  Verdict verdict;
  for (int s = 0; s < static_cast<int>(stage); ++s) verdict.at(static_cast<Stage>(s)).status = Status::passed;
  verdict.at(stage) = StageResult{Status::failed, reason, std::move(detail), 0};
  return verdict;
}

inline CaseTiming timing_of(std::string case_name, double seconds, double baseline) {
  CaseTiming one;
  one.case_name = std::move(case_name);
  one.cold = {seconds, seconds * 0.99, seconds * 1.01, {}, true};
  one.baseline_cold = {baseline, baseline * 0.99, baseline * 1.01, {}, true};
  return one;
}

inline Verdict correct_verdict() {
  Verdict verdict;
  for (auto& stage : verdict.stages) stage.status = Status::passed;
  verdict.timing = Timing{};
  verdict.timing->cases = {timing_of("square", 400e-6, 800e-6), timing_of("secretcase", 3e-3, 6e-3)};
  verdict.timing->baseline = "eager LibTorch 2.11.0, 1 thread, float32";
  score(*verdict.timing);
  Ceilings ceilings;
  ceilings.bandwidth = 10e9;
  ceilings.peaks = {{"fp32", 60e9}};
  for (const auto& [name, bytes] : {std::pair{"square", 2e6}, {"secretcase", 31337e3}}) {
    auto roofline = place_on_roofline(ceilings, DType::float32, bytes, 4e6, 400e-6);
    roofline.diagnosis = "Memory-bound at 2.0x the roofline's least time.";
    roofline.case_name = name;
    roofline.counters = {{"llc_misses", 31250, Source::perf}};
    verdict.rooflines.push_back(roofline);
  }
  return verdict;
}

inline const prompts::Machine& machine() {
  static const prompts::Machine one{"one thread of a test CPU", "g++ 12.2 -O3 -march=native -std=c++20"};
  return one;
}

inline bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Tokens; more than any digest of these tests uses.
constexpr int plenty = 100000;

inline const std::string gcc_log =
    "/tmp/build-x/kernel.cpp: In function 'void kernel_softmax(const float*, float*)':\n"
    "/tmp/build-x/kernel.cpp:3:10: error: 'expf2' was not declared in this scope; did you mean 'expf'?\n"
    "    3 |   y[0] = expf2(x[0]);\n"
    "      |          ^~~~~\n"
    "      |          expf\n"
    "/tmp/build-x/kernel.cpp:7:10: error: 'expf2' was not declared in this scope; did you mean 'expf'?\n"
    "/tmp/build-x/kernel.cpp:5:7: warning: unused variable 'k' [-Wunused-variable]\n"
    "/usr/include/c++/12/bits/stl_algo.h:99:5: note: candidate: 'template<class T> void f(T)'\n"
    "/tmp/build-x/kernel.cpp:9:1:   required from here\n"
    "cc1plus: error: unrecognized option\n"
    "collect2: error: ld returned 1 exit status\n";

inline Verdict broken_build(const std::string& log) {
  auto verdict = failing_at(Stage::build, Reason::compile_error, "g++ ended with 1");
  verdict.build_log = log;
  verdict.compiler = "g++ 12.2";
  return verdict;
}

}  // namespace ridgeline::testing
