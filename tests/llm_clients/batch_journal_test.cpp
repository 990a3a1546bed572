#include "llm_clients/batch_journal.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "engine/core/error.hpp"
#include "llm_clients/timers.hpp"
#include "tests/llm_clients/scratch_folder.hpp"

namespace ridgeline::llm {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Ne;
using testing::ThrowsMessage;

const std::string kEndpoint = "https://api.example/v1/batches";
const WallTime kNow{std::chrono::seconds(1'700'000'000)};

BatchRecord a_record(const std::string& key = "k1") {
  BatchRecord record;
  record.key = key;
  record.id = "batch_1";
  record.guessed = true;
  record.provider = Provider::anthropic;
  record.endpoint = kEndpoint;
  record.created = kNow;
  record.custom_ids = {"a", "b"};
  record.settled = {"b"};
  record.not_ours = {"batch_0"};
  return record;
}

TEST(BatchJournal, ReadsBackWhatItWroteAndOneFileIsOneLine) {
  const test::ScratchFolder folder;
  const BatchJournal journal(folder / "batches");
  EXPECT_THAT(journal.read(Provider::anthropic, kEndpoint, kNow), IsEmpty()) << "no folder yet";
  journal.write(a_record());
  EXPECT_THAT(journal.read(Provider::anthropic, kEndpoint, kNow), ElementsAre(a_record()));
  EXPECT_THAT(folder.names("batches"), ElementsAre("k1.json"));
  std::ifstream file(folder / "batches/k1.json");
  std::string line, more;
  EXPECT_TRUE(std::getline(file, line));
  EXPECT_FALSE(std::getline(file, more));
  journal.remove(a_record());
  EXPECT_THAT(folder.names("batches"), IsEmpty());
}

TEST(BatchJournal, ReadsOnlyTheEndpointsRecordsOldestFirst) {
  const test::ScratchFolder folder;
  const BatchJournal journal(folder.path());
  auto later = a_record("a-later");
  later.created += std::chrono::seconds(5);
  auto elsewhere = a_record("elsewhere");
  elsewhere.endpoint = "https://other.example/v1/batches";
  auto other_provider = a_record("other");
  other_provider.provider = Provider::openai_chat;
  for (const auto& record : {later, a_record(), elsewhere, other_provider}) journal.write(record);
  EXPECT_THAT(journal.read(Provider::anthropic, kEndpoint, kNow), ElementsAre(a_record(), later));
}

TEST(BatchJournal, RemovesRecordsWhoseResultsHaveExpired) {
  const test::ScratchFolder folder;
  const BatchJournal journal(folder.path());
  journal.write(a_record());
  const auto day = std::chrono::days(1);
  EXPECT_EQ(journal.read(Provider::anthropic, kEndpoint, kNow + 30 * day).size(), 1u);
  EXPECT_THAT(journal.read(Provider::anthropic, kEndpoint, kNow + 31 * day), IsEmpty());
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(BatchJournal, NamesAFileThatIsNoRecord) {
  for (const std::string text :
       {"", "{", "[]", "{\"key\":3}", R"({"key":"k1","id":"x","provider":"none"})"}) {
    const test::ScratchFolder folder;
    std::ofstream(folder / "k1.json") << text;
    const BatchJournal journal(folder.path());
    EXPECT_THAT([&] { journal.read(Provider::anthropic, kEndpoint, kNow); },
                ThrowsMessage<BadInput>(AllOf(HasSubstr("k1.json"), HasSubstr("remove the file"))))
        << text;
  }
}

TEST(BatchJournal, WithoutAFolderWritesNothing) {
  const BatchJournal journal({});
  journal.write(a_record());
  EXPECT_FALSE(journal.keeps());
  EXPECT_THAT(journal.read(Provider::anthropic, kEndpoint, kNow), IsEmpty());
}

TEST(BatchJournal, SaysThatTheFolderCannotBeMade) {
  const test::ScratchFolder folder;
  std::ofstream(folder / "file") << "in the way";
  const BatchJournal journal(folder / "file" / "batches");
  EXPECT_THAT([&] { journal.write(a_record()); }, ThrowsMessage<MachineCannot>(HasSubstr("batches")));
}

TEST(CustomId, IsTheSameInEveryProcessAndDiffersBetweenRequests) {
  Model model;
  model.id = "m";
  const LlmRequest request{.address = "t/s/1/0/0", .request_hash = "h"};
  const auto id = custom_id_of(model, request, "body");
  EXPECT_EQ(id, custom_id_of(model, request, "another body"));
  EXPECT_THAT(id, testing::MatchesRegex("[0-9a-f]{40}"));
  auto other = request;
  other.address = "t/s/1/0/1";
  EXPECT_THAT(custom_id_of(model, other, "body"), Ne(id));
  other = request;
  other.request_hash = "h2";
  EXPECT_THAT(custom_id_of(model, other, "body"), Ne(id));
  model.id = "m2";
  EXPECT_THAT(custom_id_of(model, request, "body"), Ne(id));
  EXPECT_THAT(custom_id_of(model, {}, "body"), Ne(custom_id_of(model, {}, "another")))
      << "without an address and a hash the body tells them apart";
}

}  // namespace
}  // namespace ridgeline::llm
