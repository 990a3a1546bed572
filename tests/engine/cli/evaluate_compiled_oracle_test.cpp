// torch.compile of a task's own module, with the real inductor and the system's compiler: half a minute.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "tests/engine/cli/batch.hpp"

namespace ridgeline::cli {
namespace {

TEST(OracleTorchCompile, IsJudgedAndTimedBesideEager) {
  ::setenv("RIDGELINE_PYTHON", RIDGELINE_PYTHON, 1);
  Batch batch;
  batch.ask_compiled("compiled", "level2/10_normalised_layer", "default");
  batch.run(
      {"--suite", std::string("kernelbench:") + RIDGELINE_SOURCE_DIR + "/tests/engine/kernelbench/clone"});
  const auto& answer = batch.verdict("compiled");
  EXPECT_EQ(answer.at("correct"), true) << answer.dump(1);
  const auto& verdict = answer.at("verdict");
  EXPECT_EQ(verdict.at("notes").at(0), "the task's own module under torch.compile, mode default");
  EXPECT_GT(verdict.at("timing").at("cases").at(0).at("baseline_cold").at("median"), 0);
  EXPECT_EQ(batch.stage("compiled", "profile").at("status"), "not_reached") << "nothing is counted";
}

}  // namespace
}  // namespace ridgeline::cli
