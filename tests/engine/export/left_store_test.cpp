// Leaves the filled store as $RIDGELINE_EXPORT_STORE for tests/export_formats.py, which exports and loads it;
// without that variable, in a folder of its own.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/engine/export/filled_store.hpp"

namespace ridgeline::exporting {
namespace {

TEST(LeftStore, HoldsATrajectoryOfEachStrategyOnEachTask) {
  const store::samples::Folder own;
  const char* asked = std::getenv("RIDGELINE_EXPORT_STORE");
  const auto path = asked != nullptr ? std::string(asked) : own.path("filled.db");
  const auto left = store::Store::open(path, store::OpenMode::create_or_resume);
  {
    store::Writer writer(left, [](const std::function<void()>& work) { work(); });
    store::samples::fill(writer);
  }
  EXPECT_EQ(store::Reader(left).trajectories().size(), 3 * store::samples::task_names.size());
}

}  // namespace
}  // namespace ridgeline::exporting
