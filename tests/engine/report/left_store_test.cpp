// Leaves a simulated store as $RIDGELINE_REPORT_STORE for tests/report_in_browser.py, which reads its report
// and its live page; without that variable, in a folder of its own.
#include <gtest/gtest.h>

#include <cstdlib>

#include "engine/store/reader.hpp"
#include "tests/engine/report/simulated_store.hpp"
#include "tests/engine/store/samples.hpp"

namespace ridgeline::report {
namespace {

TEST(LeftStore, HoldsATrajectoryOfEachStrategyTaskAndSeed) {
  const store::samples::Folder own;
  const char* asked = std::getenv("RIDGELINE_REPORT_STORE");
  const auto path = asked != nullptr ? std::string(asked) : own.path("simulated.db");
  const auto left = store::Store::open(path, store::OpenMode::create_or_resume);
  samples::simulate(left, {.tasks = 24, .seeds = 2});
  EXPECT_EQ(store::Reader(left).trajectories().size(), 5u * 24 * 2);
}

}  // namespace
}  // namespace ridgeline::report
