// The runner's side of counted calls, over a real channel, with a library and a card that are not there.
#include "engine/worker/runner/counting.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "engine/worker/runner/channel.hpp"
#include "engine/worker/runner/counter_sheet.hpp"
#include "engine/worker/runner/serve.hpp"
#include "engine/worker/runner/wire.hpp"

namespace ridgeline::runner {
namespace {

using Events = std::vector<std::string>;

class RecordedSide final : public Side {
 public:
  RecordedSide(Events& events, double seconds) : events_(events), seconds_(seconds) {}
  bool map(std::size_t, std::span<int> descriptors, std::span<const std::uint64_t>) override {
    for (const int descriptor : descriptors) ::close(descriptor);
    return true;
  }
  void use(std::size_t) override {}
  void unmap_all() override {}
  std::size_t count() const override { return 1; }
  std::byte* base(std::size_t) const override { return nullptr; }
  std::size_t bytes(std::size_t) const override { return 1 << 20; }
  void* make_workspace(std::size_t) override { return nullptr; }
  int finish(std::string&) override {
    events_.emplace_back("settled");
    return 0;
  }
  double device_seconds() override { return seconds_; }

 private:
  Events& events_;
  double seconds_;
};

class RecordedCandidate final : public Candidate {
 public:
  explicit RecordedCandidate(Events& events) : events_(events) {}
  std::optional<Refusal> load(const char*) override { return std::nullopt; }
  int run(const Arrangement&, std::size_t, std::size_t) override {
    events_.emplace_back("called");
    return fails ? 7 : 0;
  }
  std::string error_text(int code) override { return "code " + std::to_string(code); }
  bool fails = false;

 private:
  Events& events_;
};

class RecordedCounting final : public Counting {
 public:
  explicit RecordedCounting(Events& events) : events_(events) {}
  void prepare(std::uint32_t set, FileDescriptor sheet) override {
    if (!sheet) throw std::runtime_error("no sheet");
    if (set == 3) throw std::runtime_error("counters are for others");
    note("prepare", set);
    sheet_ = std::move(sheet);
  }
  void begin_survey() override { events_.emplace_back("begin survey"); }
  void end_survey(std::uint32_t set) override { note("end survey", set); }
  void open(std::uint32_t set) override { note("open", set); }
  void begin(bool by_launch) override { events_.emplace_back(by_launch ? "begin by launch" : "begin"); }
  void end(bool) override { events_.emplace_back("end"); }
  void close() override {
    events_.emplace_back("close");
    if (breaks) throw std::runtime_error("the session was taken away");
  }
  void report(std::uint32_t set) override {
    note("report", set);
    const double value = 42;
    if (::pwrite(sheet_.get(), &value, sizeof value, offsetof(CounterSheet, values)) < 0)
      throw std::runtime_error("the sheet cannot be written");
  }
  void begin_spans(std::uint32_t set) override {
    note("begin spans", set);
    if (events_.end() == std::ranges::find(events_, "report " + std::to_string(set)))
      throw std::runtime_error("no report yet");
  }
  void end_spans(std::uint32_t set) override { note("end spans", set); }
  bool breaks = false;

 private:
  void note(const char* what, std::uint32_t set) {
    events_.push_back(what + std::string(" ") + std::to_string(set));
  }
  Events& events_;
  FileDescriptor sheet_;
};

/// Serves in a thread of its own. Messages are answered one by one, so what was recorded can be read between
/// them.
class CountedRunner : public testing::Test {
 protected:
  explicit CountedRunner(bool counts = true, double device_seconds = 0) {
    auto channel = make_channel();
    judge_ = std::move(channel.judge);
    auto candidate = std::make_unique<RecordedCandidate>(events_);
    candidate_ = candidate.get();
    auto counting = counts ? std::make_unique<RecordedCounting>(events_) : nullptr;
    counting_ = counting.get();
    thread_ = std::thread([this, runner = std::move(channel.runner), candidate = std::move(candidate),
                           counting = std::move(counting), device_seconds]() mutable {
      serve(runner.get(), std::make_unique<RecordedSide>(events_, device_seconds), std::move(candidate),
            Lockdowns::none, {std::move(counting), nullptr});
    });
    Reply ready;
    receive_packet(judge_.get(), &ready, sizeof ready);
    sheet_.reset(::memfd_create("sheet", MFD_CLOEXEC));
    EXPECT_EQ(::ftruncate(sheet_.get(), sizeof(CounterSheet)), 0);
  }
  ~CountedRunner() override {
    judge_.reset();
    thread_.join();
  }

  template <class Message>
  Reply ask(Message message, std::span<const int> descriptors = {}) {
    message.header.sequence = ++sequence_;
    EXPECT_TRUE(send_packet(judge_.get(), &message, sizeof message, descriptors));
    Reply reply;
    EXPECT_EQ(receive_packet(judge_.get(), &reply, sizeof reply).bytes, sizeof reply);
    EXPECT_EQ(reply.sequence, sequence_);
    return reply;
  }
  Reply profile(std::uint32_t set) {
    const int descriptor = sheet_.get();
    return ask(Profile{.set = set}, {&descriptor, 1});
  }
  void load_and_arrange() {
    EXPECT_EQ(ask(Load{}).answer, Answer::ok);
    const int any = sheet_.get();
    EXPECT_EQ(ask(Map{.arguments = 1, .memories = 1}, {&any, 1}).answer, Answer::ok);
    Arrange arrange;
    arrange.slots = 2;
    arrange.arguments = 1;
    EXPECT_EQ(ask(arrange).answer, Answer::ok);
    events_.clear();
  }
  static std::string text(const Reply& reply) { return {reply.text.data(), reply.text_bytes}; }

  Events events_;
  RecordedCandidate* candidate_ = nullptr;
  RecordedCounting* counting_ = nullptr;
  FileDescriptor judge_, sheet_;
  std::thread thread_;
  std::uint32_t sequence_ = 0;
};

TEST_F(CountedRunner, EachCallIsSettledBeforeItsPassEnds) {
  EXPECT_EQ(profile(1).answer, Answer::ok);
  load_and_arrange();
  EXPECT_EQ(ask(Count{.set = 1, .first = 1, .count = 1}).answer, Answer::ok);
  EXPECT_EQ(ask(Count{.set = 1, .first = 0, .count = 1}).answer, Answer::ok);
  EXPECT_EQ(ask(Report{.set = 1}).answer, Answer::ok);
  EXPECT_EQ(events_, (Events{"open 1", "begin", "called", "settled", "end", "close", "open 1", "begin",
                             "called", "settled", "end", "close", "report 1"}));
  double value = 0;
  EXPECT_EQ(::pread(sheet_.get(), &value, sizeof value, offsetof(CounterSheet, values)), 8);
  EXPECT_EQ(value, 42) << "on the judge's sheet";
}

TEST_F(CountedRunner, SeveralCallsShareAPass) {
  EXPECT_EQ(profile(1).answer, Answer::ok);
  load_and_arrange();
  EXPECT_EQ(ask(Count{.set = 1, .first = 0, .count = 1, .how = kOpensPass}).answer, Answer::ok);
  EXPECT_EQ(ask(Count{.set = 1, .first = 1, .count = 1, .how = kClosesPass | kByLaunch}).answer, Answer::ok);
  EXPECT_EQ(events_, (Events{"open 1", "begin", "called", "settled", "end", "begin by launch", "called",
                             "settled", "end", "close"}));
}

TEST_F(CountedRunner, ASurveyedCallIsPartOfNoPass) {
  EXPECT_EQ(profile(1).answer, Answer::ok);
  load_and_arrange();
  EXPECT_EQ(ask(Count{.set = 1, .first = 0, .count = 1, .how = kSurveys}).answer, Answer::ok);
  EXPECT_EQ(events_, (Events{"begin survey", "called", "settled", "end survey 1"}));
}

TEST_F(CountedRunner, SpansAreRecordedAfterTheReport) {
  EXPECT_EQ(profile(1).answer, Answer::ok);
  load_and_arrange();
  const auto early = ask(Count{.set = 1, .first = 0, .count = 1, .how = kSpans});
  EXPECT_EQ(early.answer, Answer::no_counters);
  EXPECT_EQ(text(early), "no report yet");
  EXPECT_EQ(ask(Report{.set = 1}).answer, Answer::ok);
  EXPECT_EQ(ask(Count{.set = 1, .first = 0, .count = 1, .how = kSpans}).answer, Answer::ok);
  EXPECT_EQ(events_,
            (Events{"begin spans 1", "report 1", "begin spans 1", "called", "settled", "end spans 1"}));
}

TEST_F(CountedRunner, SpansOfAFailingCallAreEndedAllTheSame) {
  EXPECT_EQ(profile(0).answer, Answer::ok);
  load_and_arrange();
  EXPECT_EQ(ask(Report{.set = 0}).answer, Answer::ok);
  candidate_->fails = true;
  EXPECT_EQ(ask(Count{.set = 0, .first = 0, .count = 1, .how = kSpans}).answer, Answer::call_error);
  EXPECT_EQ(events_.back(), "end spans 0");
  EXPECT_EQ(ask(Count{.set = 0, .first = 2, .count = 1, .how = kSpans}).answer, Answer::refused)
      << "no such slot";
}

TEST_F(CountedRunner, APassMayBeOpenedBeforeTheCandidateIsLoaded) {
  EXPECT_EQ(profile(1).answer, Answer::ok);
  EXPECT_EQ(ask(Count{.set = 1, .first = 0, .count = 1}).answer, Answer::refused) << "nothing is loaded";
  EXPECT_EQ(ask(Count{.set = 1, .how = kOpensPass}).answer, Answer::ok);
  EXPECT_EQ(events_, (Events{"prepare 1", "open 1"}));
  load_and_arrange();
  EXPECT_EQ(ask(Count{.set = 1, .first = 0, .count = 1, .how = kClosesPass}).answer, Answer::ok);
  EXPECT_EQ(events_, (Events{"begin", "called", "settled", "end", "close"}));
}

TEST_F(CountedRunner, AnOrdinaryGoIsNotCounted) {
  EXPECT_EQ(profile(0).answer, Answer::ok);
  load_and_arrange();
  EXPECT_EQ(ask(Go{.first = 0, .count = 2}).answer, Answer::ok);
  EXPECT_EQ(events_, (Events{"called", "settled"}));
}

TEST_F(CountedRunner, CountersCannotBePreparedOnceTheCandidateIsLoaded) {
  load_and_arrange();
  EXPECT_EQ(profile(0).answer, Answer::refused);
  EXPECT_TRUE(events_.empty());
}

TEST_F(CountedRunner, AnErrorIsAnsweredWithItsReasonAndTheRunnerGoesOn) {
  const auto refused = profile(3);
  EXPECT_EQ(refused.answer, Answer::no_counters);
  EXPECT_EQ(text(refused), "counters are for others");
  EXPECT_EQ(ask(Profile{.set = 0}).answer, Answer::refused) << "no sheet came with it";
  EXPECT_EQ(profile(kMaxSets).answer, Answer::refused);
  load_and_arrange();
  counting_->breaks = true;
  const auto broken = ask(Count{.set = 0, .first = 0, .count = 1});
  EXPECT_EQ(broken.answer, Answer::no_counters);
  EXPECT_EQ(text(broken), "the session was taken away");
  EXPECT_EQ(ask(Go{.first = 0, .count = 1}).answer, Answer::ok);
}

TEST_F(CountedRunner, AFailingCallIsReportedAsTheCandidates) {
  EXPECT_EQ(profile(0).answer, Answer::ok);
  load_and_arrange();
  candidate_->fails = true;
  const auto failed = ask(Count{.set = 0, .first = 0, .count = 1});
  EXPECT_EQ(failed.answer, Answer::call_error);
  EXPECT_EQ(failed.code, 7);
  EXPECT_EQ(events_.back(), "close") << "the pass is closed all the same";
  EXPECT_EQ(ask(Count{.set = 0, .first = 2, .count = 1}).answer, Answer::refused) << "no such slot";
}

class PlainRunner : public CountedRunner {
 protected:
  PlainRunner() : CountedRunner(false) {}
};

TEST_F(PlainRunner, SaysThatItCountsNothing) {
  EXPECT_EQ(profile(0).answer, Answer::no_counters);
  load_and_arrange();
  EXPECT_EQ(ask(Count{.set = 0, .first = 0, .count = 1}).answer, Answer::refused);
  EXPECT_EQ(ask(Count{.set = 0, .first = 0, .count = 1, .how = kSpans}).answer, Answer::refused);
  EXPECT_EQ(ask(Report{.set = 0}).answer, Answer::refused);
}

class RoundedRunner : public CountedRunner {
 protected:
  RoundedRunner() : CountedRunner(false, -1e-9) {}
};

TEST_F(RoundedRunner, RepliesNoSecondsBelowZero) {
  load_and_arrange();
  EXPECT_EQ(ask(Go{.first = 0, .count = 1}).device_seconds, 0);
}

TEST(CudaCounting, AMissingLibraryIsReportedByPrepare) {
  const auto counting = make_cuda_counting("/nowhere/libcupti.so.13", 0);
  try {
    counting->prepare(0, FileDescriptor(::memfd_create("sheet", MFD_CLOEXEC)));
    FAIL();
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find("/nowhere"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace ridgeline::runner
