// Attempts that a strategy cancelled are in `jsonl` with the reason, and in training pairs only if judged.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "engine/export/export.hpp"
#include "tests/engine/export/filled_store.hpp"
#include "tests/engine/store/campaign_fixture.hpp"

namespace ridgeline::exporting {
namespace {

namespace stored = store::samples;
using nlohmann::json;

/// Records a failure, its repair, which was judged and then cancelled, and a call that was broken off.
class CancelledAttempts : public stored::CampaignFixture {
 protected:
  CancelledAttempts() {
    stored::Storyteller story(writer(), task, id);
    const auto wrong = story.attempt(nullptr, stored::fails_at(Stage::call, Reason::crashed));
    story.attempt(&wrong, stored::correct_in(1e-3));
    cancel(0, 1);
    cancel(1, 2);
    auto broken_off = stored::ask(id, 2, 0, nullptr);
    broken_off.status = AnswerStatus::cancelled;
    broken_off.llm_status = "cancelled";
    broken_off.detail = "enough";
    broken_off.response_text.clear();
    writer().record(broken_off, std::nullopt, expect_committed());
    writer().flush();
  }

  void cancel(int ordinal, int step) {
    store::EffectEvent event;
    event.trajectory = id;
    event.ordinal = ordinal;
    event.event = store::EffectEventKind::cancelled;
    event.step = step;
    event.reason = "enough";
    writer().record(event, expect_committed());
  }

  std::vector<json> exported(Format format) {
    ExportOptions options;
    options.format = format;
    std::ostringstream out;
    export_store(reader(), options, out);
    std::istringstream in(out.str());
    std::vector<json> lines;
    for (std::string line; std::getline(in, line);) lines.push_back(json::parse(line));
    return lines;
  }
};

TEST_F(CancelledAttempts, StandInJsonlWithTheirReason) {
  const auto lines = exported(Format::jsonl);
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_TRUE(lines[0].at("cancelled").is_null());
  EXPECT_EQ(lines[1].at("cancelled"), "enough") << "judged, and never seen";
  EXPECT_FALSE(lines[1].at("verdict").is_null());
  EXPECT_EQ(lines[2].at("ask").at("status"), "cancelled");
  EXPECT_EQ(lines[2].at("cancelled"), "enough");
  EXPECT_TRUE(lines[2].at("candidate").is_null());
}

TEST_F(CancelledAttempts, AreTrainingDataOnlyWhereTheyWereJudged) {
  EXPECT_EQ(exported(Format::kbx).size(), 1u);
}

}  // namespace
}  // namespace ridgeline::exporting
