// A runner carries out orders that fit each other, and refuses all others without harm.
#include "engine/worker/runner/server.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ridgeline::runner {
namespace {

/// Counts its calls.
class Recorded final : public Candidate {
 public:
  explicit Recorded(std::vector<std::size_t>& calls, std::size_t workspace)
      : calls_(calls), bytes_(workspace) {}
  std::optional<Refusal> load(const char*) override { return std::nullopt; }
  std::size_t workspace_bytes(const std::int64_t*) override { return bytes_; }
  int run(const Arrangement& arranged, std::size_t, std::size_t count) override {
    for (auto* pointer : arranged.pointers) *static_cast<std::byte*>(pointer) = std::byte{1};
    calls_.push_back(count);
    return 0;
  }
  std::string error_text(int) override { return ""; }

 private:
  std::vector<std::size_t>& calls_;
  std::size_t bytes_;
};

/// A device that notes its waits among the calls, and can refuse them.
class WaitingSide final : public Side {
 public:
  explicit WaitingSide(std::vector<std::size_t>& calls) : calls_(calls) {}
  bool map(std::size_t place, std::span<int> descriptors, std::span<const std::uint64_t> bytes) override {
    return memory_->map(place, descriptors, bytes);
  }
  void use(std::size_t place) override { memory_->use(place); }
  void unmap_all() override { memory_->unmap_all(); }
  std::size_t count() const override { return memory_->count(); }
  std::byte* base(std::size_t argument) const override { return memory_->base(argument); }
  std::size_t bytes(std::size_t argument) const override { return memory_->bytes(argument); }
  void* make_workspace(std::size_t bytes) override { return memory_->make_workspace(bytes); }
  int separate(std::string& text) override {
    calls_.push_back(kWait);
    if (fails) text = "a stream is being captured";
    return fails ? 7 : 0;
  }
  static constexpr std::size_t kWait = 1000;
  bool fails = false;

 private:
  std::vector<std::size_t>& calls_;
  std::unique_ptr<Side> memory_ = make_host_side();
};

class RunnerServer : public testing::Test {
 protected:
  static constexpr std::size_t kPage = 4096;

  template <class Message>
  Reply answer(const Message& message, std::size_t bytes = sizeof(Message), std::size_t descriptors = 0) {
    std::memcpy(static_cast<void*>(packet_.get()), &message, sizeof message);
    std::array<int, kMaxMemories> sent{};
    for (std::size_t i = 0; i < descriptors; ++i) sent[i] = ::dup(memory_.get());
    return server_->answer(*packet_, bytes, std::span(sent).first(descriptors));
  }
  Reply load() { return answer(Load{.path = {'a'}}); }
  Reply map(std::uint32_t place, Mapped how, std::uint16_t memory = 0) {
    Map map{.place = place, .how = how, .arguments = 1, .memories = 1};
    map.bytes[0] = kPage;
    map.memory_of[0] = memory;
    return answer(map, sizeof map, how == Mapped::again ? 0 : 1);
  }
  Reply arrange(std::uint32_t offset = 0, std::uint32_t arguments = 1) {
    auto arrange = std::make_unique<Arrange>();
    arrange->slots = 1;
    arrange->arguments = arguments;
    arrange->pointers[0] = offset;
    return answer(*arrange, offsetof(Arrange, pointers) + sizeof(std::uint32_t));
  }
  Reply go() { return answer(Go{.count = 1}); }
  static int lowest_free() { return FileDescriptor(::dup(1)).get(); }

  FileDescriptor memory_ = [] {
    FileDescriptor file(::memfd_create("test", MFD_CLOEXEC));
    if (::ftruncate(file.get(), kPage) != 0) ADD_FAILURE() << "no memory file";
    return file;
  }();
  std::vector<std::size_t> calls_;
  std::optional<Server> server_{std::in_place, -1, make_host_side(), std::make_unique<Recorded>(calls_, 0),
                                Lockdowns::none};
  std::unique_ptr<Packet> packet_ = std::make_unique<Packet>();
};

TEST_F(RunnerServer, CallsWhatIsMappedAndArranged) {
  EXPECT_EQ(load().answer, Answer::ok);
  const auto mapped = map(0, Mapped::alone);
  EXPECT_EQ(mapped.answer, Answer::ok);
  EXPECT_NE(mapped.bases[0], 0u);
  EXPECT_EQ(arrange().answer, Answer::ok);
  EXPECT_EQ(go().answer, Answer::ok);
  EXPECT_EQ(calls_, std::vector<std::size_t>{1});
}

/// A refused mapping once left its arguments behind: the arrangement after it read beyond all mappings.
TEST_F(RunnerServer, ArrangesNothingAfterAMappingThatWasRefused) {
  load();
  Map nowhere{.place = 5, .how = Mapped::again, .arguments = 1, .memories = 60000};
  nowhere.memory_of[0] = 50000;
  EXPECT_EQ(answer(nowhere).answer, Answer::refused);
  EXPECT_EQ(arrange().answer, Answer::refused);
  EXPECT_EQ(go().answer, Answer::refused);
  EXPECT_EQ(map(0, Mapped::alone).answer, Answer::ok);
  EXPECT_EQ(map(0, Mapped::alone, 9).answer, Answer::refused);
  EXPECT_EQ(arrange().answer, Answer::refused);
  EXPECT_TRUE(calls_.empty());
}

TEST_F(RunnerServer, CallsNothingAfterAnArrangementThatWasRefused) {
  load();
  map(0, Mapped::alone);
  EXPECT_EQ(arrange(kPage).answer, Answer::refused) << "64 pages behind its end";
  EXPECT_EQ(go().answer, Answer::refused);
  EXPECT_EQ(arrange().answer, Answer::ok);
  EXPECT_EQ(arrange(0, 2).answer, Answer::refused);
  EXPECT_EQ(go().answer, Answer::refused);
  EXPECT_TRUE(calls_.empty());
}

TEST_F(RunnerServer, ClosesTheDescriptorsOfOrdersThatItRefuses) {
  const int before = lowest_free();
  answer(Go{}, sizeof(Go), 3);
  answer(Map{.place = 99, .memories = 2}, sizeof(Map), 2);
  answer(Map{.how = Mapped::again}, sizeof(Map), 1);
  answer(Profile{}, sizeof(Profile), 2);
  answer(Profile{}, sizeof(Header), 1);
  EXPECT_EQ(lowest_free(), before);
}

TEST_F(RunnerServer, LetsEachCallWaitForTheOneAheadIfTheyAreOrderedOneByOne) {
  auto side = std::make_unique<WaitingSide>(calls_);
  auto* const device = side.get();
  server_.emplace(-1, std::move(side), std::make_unique<Recorded>(calls_, 0), Lockdowns::none);
  load();
  map(0, Mapped::alone);
  auto two = std::make_unique<Arrange>();
  two->slots = 2;
  two->arguments = 1;
  answer(*two, offsetof(Arrange, pointers) + 2 * sizeof(std::uint32_t));
  EXPECT_EQ(answer(Go{.count = 2}).answer, Answer::ok);
  EXPECT_EQ(calls_, (std::vector<std::size_t>{2}));
  calls_.clear();
  EXPECT_EQ(answer(Go{.count = 2, .order = CallOrder::one_by_one}).answer, Answer::ok);
  EXPECT_EQ(calls_, (std::vector<std::size_t>{1, WaitingSide::kWait, 1, WaitingSide::kWait}));
  calls_.clear();
  EXPECT_EQ(answer(Go{.count = 2, .order = static_cast<CallOrder>(3)}).answer, Answer::refused);
  EXPECT_TRUE(calls_.empty());
  device->fails = true;
  const auto failed = answer(Go{.count = 2, .order = CallOrder::one_by_one});
  EXPECT_EQ(failed.answer, Answer::call_error);
  EXPECT_EQ(failed.code, 7);
  EXPECT_STREQ(failed.text.data(), "a stream is being captured");
  EXPECT_EQ(calls_, (std::vector<std::size_t>{1, WaitingSide::kWait})) << "nothing is called after it";
}

/// Notes what it is asked for among the calls.
class RecordedUnsealer final : public InputUnsealer {
 public:
  explicit RecordedUnsealer(std::vector<std::size_t>& calls) : calls_(calls) {}
  void prepare(FileDescriptor exchange, FileDescriptor memory, std::uint64_t,
               std::uint64_t evicted) override {
    if (!exchange || !memory || evicted == 13) throw std::runtime_error("no such memory");
  }
  void begin(std::span<void* const> pointers, std::size_t count) override {
    if (count > 64) throw std::runtime_error("too many calls");
    pointers_ = pointers.size();
    calls_.push_back(kBegin);
  }
  void unseal(std::size_t call) override { calls_.push_back(kOpen + call); }
  void commit(std::size_t call) override { calls_.push_back(kCommit + call); }
  std::string missing_key() const override { return missing; }
  std::string missing;
  static constexpr std::size_t kBegin = 2000, kOpen = 3000, kCommit = 4000;
  std::size_t pointers_ = 0;

 private:
  std::vector<std::size_t>& calls_;
};

TEST_F(RunnerServer, OpensTheInputsOfEachSealedCallAndCommitsToItsOutputsBeforeTheNext) {
  constexpr auto kWait = WaitingSide::kWait, kBegin = RecordedUnsealer::kBegin,
                 kOpen = RecordedUnsealer::kOpen, kCommit = RecordedUnsealer::kCommit;
  auto sealed = std::make_unique<RecordedUnsealer>(calls_);
  auto* const recorded = sealed.get();
  server_.emplace(-1, std::make_unique<WaitingSide>(calls_), std::make_unique<Recorded>(calls_, 0),
                  Lockdowns::none, Means{nullptr, std::move(sealed)});
  EXPECT_EQ(answer(PrepareSealed{.evicted_bytes = 13}, sizeof(PrepareSealed), 2).answer, Answer::no_sealing);
  EXPECT_EQ(answer(PrepareSealed{}, sizeof(PrepareSealed), 1).answer, Answer::refused)
      << "one descriptor is missing";
  EXPECT_EQ(answer(PrepareSealed{}, sizeof(PrepareSealed), 2).answer, Answer::ok);
  const Go two{.count = 2, .order = CallOrder::sealed};
  EXPECT_EQ(answer(two).answer, Answer::ok) << "a trial without a candidate";
  EXPECT_EQ(calls_, (std::vector<std::size_t>{kBegin, kOpen, kWait, kWait, kCommit, kOpen + 1, kWait, kWait,
                                              kCommit + 1}));
  EXPECT_EQ(recorded->pointers_, 0u);
  load();
  EXPECT_EQ(answer(PrepareSealed{}, sizeof(PrepareSealed), 2).answer, Answer::refused)
      << "the candidate is there";
  EXPECT_EQ(answer(two).answer, Answer::refused) << "no slots";
  map(0, Mapped::alone);
  auto arrange = std::make_unique<Arrange>();
  arrange->slots = 2;
  arrange->arguments = 1;
  answer(*arrange, offsetof(Arrange, pointers) + 2 * sizeof(std::uint32_t));
  calls_.clear();
  EXPECT_EQ(answer(two).answer, Answer::ok);
  EXPECT_EQ(calls_, (std::vector<std::size_t>{kBegin, kOpen, kWait, 1, kWait, kCommit, kOpen + 1, kWait, 1,
                                              kWait, kCommit + 1}));
  EXPECT_EQ(recorded->pointers_, 2u);
  calls_.clear();
  EXPECT_EQ(answer(Go{.first = 1, .count = 1, .order = CallOrder::sealed}).answer, Answer::ok);
  EXPECT_EQ(recorded->pointers_, 1u) << "those of the calls that are made";
  // Once an empty batch from a slot that there is not gave pointers out of the arrangement.
  EXPECT_EQ(answer(Go{.first = 1u << 30, .count = 0, .order = CallOrder::sealed}).answer, Answer::ok);
  EXPECT_EQ(recorded->pointers_, 0u);
}

/// The device's own words would be those of any failed kernel.
TEST_F(RunnerServer, SaysWhichKeyDidNotCome) {
  auto side = std::make_unique<WaitingSide>(calls_);
  auto sealed = std::make_unique<RecordedUnsealer>(calls_);
  side->fails = true;
  sealed->missing = "no key came for call 1";
  server_.emplace(-1, std::move(side), std::make_unique<Recorded>(calls_, 0), Lockdowns::none,
                  Means{nullptr, std::move(sealed)});
  const auto failed = answer(Go{.count = 2, .order = CallOrder::sealed});
  EXPECT_EQ(failed.answer, Answer::call_error);
  EXPECT_STREQ(failed.text.data(), "no key came for call 1");
}

TEST_F(RunnerServer, ARunnerWithoutADeviceOpensNoSealedInputs) {
  EXPECT_EQ(answer(PrepareSealed{}, sizeof(PrepareSealed), 2).answer, Answer::no_sealing);
  EXPECT_EQ(answer(Go{.count = 1, .order = CallOrder::sealed}).answer, Answer::no_sealing);
}

/// It would be read on in what the packet before it left.
TEST_F(RunnerServer, RefusesAnOrderOfAnotherSize) {
  load();
  map(0, Mapped::alone);
  arrange();
  for (const std::size_t bytes : {sizeof(Header), sizeof(Go) - 1, sizeof(Go) + 1})
    EXPECT_EQ(answer(Go{.count = 1}, bytes).answer, Answer::refused) << bytes;
  auto short_one = std::make_unique<Arrange>();
  short_one->slots = short_one->arguments = 1;
  EXPECT_EQ(answer(*short_one, offsetof(Arrange, pointers)).answer, Answer::refused);
  EXPECT_EQ(answer(Header{static_cast<Kind>(77), 3}).answer, Answer::refused);
  EXPECT_EQ(answer(Header{static_cast<Kind>(77), 3}).sequence, 3u);
  EXPECT_TRUE(calls_.empty());
}

/// Sizes that were asked for before the load, when no candidate could say what it wants, are asked for again.
TEST_F(RunnerServer, AWorkspaceThatThereIsNotIsRefusedEachTime) {
  Server server(-1, make_host_side(), std::make_unique<Recorded>(calls_, ~std::size_t{0} >> 2),
                Lockdowns::none);
  const auto send = [&](const auto& message, std::size_t bytes) {
    std::memcpy(static_cast<void*>(packet_.get()), &message, sizeof message);
    return server.answer(*packet_, bytes, {}).answer;
  };
  const auto arrange = std::make_unique<Arrange>();
  const auto bytes = offsetof(Arrange, pointers);
  EXPECT_EQ(send(*arrange, bytes), Answer::ok);
  EXPECT_EQ(send(Load{}, sizeof(Load)), Answer::ok);
  EXPECT_EQ(send(*arrange, bytes), Answer::call_error);
  EXPECT_EQ(send(*arrange, bytes), Answer::call_error);
}

}  // namespace
}  // namespace ridgeline::runner
