// Submissions scored for real: a Python with torch in the sandbox, 'cuda' taken for the CPU.
#include "engine/submissions/scoring.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/core/error.hpp"
#include "tests/engine/submissions/scoring_bed.hpp"

namespace ridgeline::submissions {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::HasSubstr;

class OracleScoring : public testing::Test {
 protected:
  static void SetUpTestSuite() { ::setenv("RIDGELINE_PYTHON", RIDGELINE_PYTHON, 1); }

  static json own(const Scores& scores, const char* file) { return scores.metrics.at(file).at("ridgeline"); }
};

TEST_F(OracleScoring, JudgesAndTimesByItsRule) {
  const ScoringBed bed("rule");
  const auto scores =
      score(bed.settings({{right_relu, "Activation/half_relu.py"},
                          // Fails for one size of the performance script, and is right in the test.
                          {"import torch\ndef product_w8a8(a, b):\n    if a.numel() == 64: raise "
                           "RuntimeError('no')\n    return a @ b",
                           "product_w8a8.py"},
                          {"def halving_step(param, grad, lr=0.1):\n    return param\nHalving = halving_step",
                           "Optimizer/Halving.py"}}));
  const auto& relu = scores.metrics.at("Activation/half_relu.py");
  EXPECT_EQ(relu.at("call_ok"), true);
  EXPECT_EQ(relu.at("exe_ok"), true) << relu;
  EXPECT_EQ(relu.at("perf_ok"), true);
  EXPECT_EQ(relu.at("dtype"), "float32");
  EXPECT_EQ(relu.at("performance").size(), 3U);
  EXPECT_NEAR(relu.at("speedup").get<double>() * relu.at("runtime_ms").get<double>(), 6000, 1)
      << "the sum of the reference's times over the sum of its own";
  const auto& product = scores.metrics.at("Quantization/product_w8a8.py");
  EXPECT_EQ(product.at("dtype"), "w8a8");
  EXPECT_THAT(product.at("ridgeline").at("left_out").get<std::string>(), HasSubstr("2 of 3 sizes"));
  EXPECT_EQ(product.at("ridgeline").at("quantization").at("cosine_sim"), 1.0);
  const auto& halving = scores.metrics.at("Optimizer/Halving.py");
  EXPECT_EQ(halving.at("exe_ok"), false);
  EXPECT_EQ(halving.at("speedup"), "N/A");
  EXPECT_THAT(halving.at("error").get<std::string>(), HasSubstr("not close"));
  EXPECT_EQ(scores.summary.at("exe_pass"), 2);
  EXPECT_EQ(scores.summary.at("perf_pass"), 2);
  EXPECT_THAT(scores.summary.at("ridgeline").at("device").get<std::string>(), HasSubstr("tried on a CPU"));
  EXPECT_EQ(json::parse(std::ifstream(bed.clone / "out" / "metrics.json")), scores.metrics);
  EXPECT_EQ(json::parse(std::ifstream(bed.clone / "out" / "summary.json")), scores.summary);
  EXPECT_FALSE(std::filesystem::exists(bed.clone / "out" / "scratch"));
}

TEST_F(OracleScoring, WhatACandidateChangesInItsProcessChangesNoVerdictAndIsSaid) {
  const ScoringBed bed("patched");
  auto settings = bed.settings({{"import torch\n"
                                 "torch.testing.assert_close = lambda *given, **named: None\n"
                                 "def Halving(): pass\n"
                                 "def halving_step(param, grad, lr=0.1):\n    return torch.zeros_like(param)",
                                 "Optimizer/Halving.py"},
                                {right_relu, "Activation/half_relu.py"}});
  settings.time = false;
  const auto scores = score(settings);
  const auto cheat = own(scores, "Optimizer/Halving.py");
  EXPECT_EQ(cheat.at("in_one_process"), true) << "KernelBench-X's scripts let zeros pass here";
  EXPECT_EQ(cheat.at("execution"), "failed");
  EXPECT_EQ(cheat.at("isolation_changed"), true);
  EXPECT_THAT(cheat.at("notes").dump(), HasSubstr("isolation changes the verdict"));
  EXPECT_EQ(scores.summary.at("ridgeline").at("isolation_changed"), json({"Optimizer/Halving.py"}));
  EXPECT_EQ(own(scores, "Activation/half_relu.py").at("isolation_changed"), false)
      << "the next one is not touched";
  EXPECT_FALSE(scores.summary.at("ridgeline").contains("speedup"));
}

TEST_F(OracleScoring, WhatIsNotCallableSaysWhyAndHarmsNobody) {
  const ScoringBed bed("failing");
  auto settings = bed.settings(
      {{"while True: pass\ndef Halving(): pass", "Optimizer/Halving.py"},
       {"raise ValueError('no kernel today')\ndef half_relu(x): return x", "Activation/half_relu.py"},
       {"def product(a, b): return a @ b", "Quantization/product_w8a8.py"},
       {"", "Math/twice_fp16.py"}});
  settings.time = false;
  settings.limits.stage = 4;
  const auto scores = score(settings);
  const auto late = own(scores, "Optimizer/Halving.py");
  EXPECT_EQ(late.at("call"), "timed_out");
  EXPECT_THAT(late.at("notes").dump(), HasSubstr("KernelBench-X's scripts would have waited on"));
  EXPECT_EQ(scores.summary.at("ridgeline").at("timed_out"), json({"Optimizer/Halving.py"}));
  const auto& raised = scores.metrics.at("Activation/half_relu.py");
  EXPECT_EQ(raised.at("ridgeline").at("call"), "failed");
  EXPECT_THAT(raised.at("error").get<std::string>(), HasSubstr("ValueError: no kernel today"));
  EXPECT_EQ(own(scores, "Quantization/product_w8a8.py").at("call"), "no_entry");
  EXPECT_EQ(own(scores, "Math/twice_fp16.py").at("call"), "empty");
  EXPECT_EQ(scores.summary.at("call_pass"), 0);
}

TEST_F(OracleScoring, WhatACandidateLeavesRunningIsEnded) {
  const ScoringBed bed("left");
  auto settings = bed.settings(
      {{"import os, time\nif os.fork() == 0:\n    time.sleep(1000)\n    os._exit(0)\n" + right_relu,
        "Activation/half_relu.py"},
       {"import sys\ndef Halving(): pass\nsys.exit(0)", "Optimizer/Halving.py"},
       {"def product_w8a8(a, b): return a @ b", "Quantization/product_w8a8.py"}});
  settings.time = false;
  const auto scores = score(settings);
  EXPECT_EQ(own(scores, "Activation/half_relu.py").at("execution"), "passed");
  const auto left = own(scores, "Optimizer/Halving.py");
  EXPECT_EQ(left.at("call"), "passed") << "exit 0, as KernelBench-X's scripts ask";
  EXPECT_EQ(left.at("execution"), "failed");
  EXPECT_THAT(left.at("notes").dump(), HasSubstr("may end the stage for others"));
  EXPECT_EQ(own(scores, "Quantization/product_w8a8.py").at("execution"), "passed");
}

TEST_F(OracleScoring, ACandidateReadsNothingOfTheUsersAndWritesNothingIntoTheClone) {
  const ScoringBed bed("confined");
  const auto secret = std::filesystem::temp_directory_path() / ("secret-" + std::to_string(getpid()));
  std::ofstream(secret) << "the user's";
  const auto probe = [](const std::string& attempt) {
    return "try:\n    " + attempt + "\nexcept OSError: pass\nelse: raise RuntimeError('it could')\n";
  };
  auto settings =
      bed.settings({{probe("open('" + secret.string() + "').read()") + probe("open('utils/mark', 'w')") +
                         probe("import socket; socket.create_connection(('127.0.0.1', 9), 1)") + right_relu,
                     "Activation/half_relu.py"}});
  settings.time = false;
  const auto scores = score(settings);
  EXPECT_EQ(own(scores, "Activation/half_relu.py").at("call"), "passed") << scores.metrics;
  std::filesystem::remove(secret);
}

TEST_F(OracleScoring, AnInterruptedRunGoesOn) {
  const ScoringBed bed("resumed");
  auto settings = bed.settings({{right_relu, "Activation/half_relu.py"},
                                {"def product_w8a8(a, b): return a @ b", "Quantization/product_w8a8.py"}});
  bool stop = false;
  settings.stop = [&] { return stop; };
  settings.tell = [&](const std::string& line) {
    stop = stop || line.find("execution passed") != std::string::npos;
  };
  EXPECT_TRUE(score(settings).stopped);
  EXPECT_FALSE(std::filesystem::exists(bed.clone / "out" / "metrics.json"));

  stop = false;
  std::vector<std::string> said;
  settings.tell = [&](const std::string& line) { said.push_back(line); };
  const auto scores = score(settings);
  EXPECT_FALSE(scores.stopped);
  EXPECT_THAT(said, Contains(HasSubstr("1 of 2 submissions were judged by an earlier run")));
  EXPECT_THAT(said, testing::Not(Contains(HasSubstr("half_relu.py: call"))));
  EXPECT_EQ(scores.summary.at("exe_pass"), 2);
  EXPECT_EQ(scores.summary.at("perf_pass"), 2);

  said.clear();
  EXPECT_EQ(score(settings).metrics, scores.metrics) << "nothing is left to do, and nothing changes";
  EXPECT_EQ(said.size(), 1U);
}

}  // namespace
}  // namespace ridgeline::submissions
