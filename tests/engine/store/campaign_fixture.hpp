// A store with one campaign of one trajectory, open for writing and reading.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>

#include "engine/store/reader.hpp"
#include "engine/store/store.hpp"
#include "engine/store/writer.hpp"
#include "tests/engine/store/samples.hpp"

namespace ridgeline::store::samples {

class CampaignFixture : public testing::Test {
 protected:
  CampaignFixture() : store(Store::open(folder.path("store.db"), OpenMode::create_or_resume)) {
    writer_.emplace(store, [](const std::function<void()>& work) { work(); });
    std::vector trajectories{trajectory(task)};
    writer_->create(campaign, {task}, trajectories);
    id = trajectories.front().id;
    reader_.emplace(store);
  }

  Writer& writer() { return *writer_; }
  const Reader& reader() { return *reader_; }
  static Done expect_committed() {
    return [](std::exception_ptr error) { EXPECT_EQ(error, nullptr); };
  }

  Folder folder;
  Store store;
  TaskRecord task = samples::task();
  CampaignRecord campaign = samples::campaign();
  Id id = 0;

 private:
  std::optional<Reader> reader_;
  std::optional<Writer> writer_;
};

}  // namespace ridgeline::store::samples
