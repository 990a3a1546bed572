#include "engine/evaluation/door.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <csignal>
#include <nlohmann/json.hpp>
#include <sstream>
#include <thread>

#include "engine/core/error.hpp"

namespace ridgeline::evaluation {
namespace {

using nlohmann::json;
using testing::HasSubstr;

/// Keeps every request until the test answers it.
class HeldEvaluator : public Evaluator {
 public:
  explicit HeldEvaluator(boost::asio::io_context& io) : io_(io) {}
  void evaluate(EvaluateRequest request, std::function<void(Verdict)> done) override {
    ++asked;
    most_held = std::max(most_held, ++held);
    if (at_once) return answer(request, std::move(done));
    waiting.emplace_back(std::move(request), std::move(done));
  }
  void answer_last() {
    auto [request, done] = std::move(waiting.back());
    waiting.pop_back();
    answer(request, std::move(done));
  }

  std::vector<std::pair<EvaluateRequest, std::function<void(Verdict)>>> waiting;
  bool at_once = false;
  int asked = 0, held = 0, most_held = 0;

 private:
  void answer(const EvaluateRequest& request, std::function<void(Verdict)> done) {
    Verdict verdict;
    verdict.candidate = request.candidate.hash;
    for (const auto stage : {Stage::build, Stage::call, Stage::correctness, Stage::timing})
      verdict.at(stage).status = Status::passed;
    verdict.timing.emplace();
    verdict.timing->speedup = 1.5;
    boost::asio::post(io_, [this, done = std::move(done), verdict] {
      --held;
      done(verdict);
    });
  }
  boost::asio::io_context& io_;
};

class DoorTest : public testing::Test {
 protected:
  DoorTest() {
    ::signal(SIGPIPE, SIG_IGN);
    task.name = "softmax";
    EXPECT_EQ(::pipe2(input, O_CLOEXEC), 0);
    EXPECT_EQ(::pipe2(output, O_CLOEXEC), 0);
  }
  ~DoorTest() override {
    for (const int end : {input[0], input[1], output[0], output[1]})
      if (end >= 0) ::close(end);
  }
  void write(const std::string& text) {
    ASSERT_EQ(::write(input[1], text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }
  void close_input() { ::close(std::exchange(input[1], -1)); }
  /// Knows one task of a suite, and makes those of files anew at each call.
  std::shared_ptr<const Task> find(const std::string& name) {
    if (name == "softmax") return borrowed(task);
    if (!name.ends_with(".yaml")) throw BadInput("no task '" + name + "'; did you mean 'softmax'?");
    if (name != "mine.yaml") throw BadInput(name + ": cannot be read");
    auto made = std::make_shared<Task>();
    made->name = "mine";
    return made;
  }
  Door make_door(DoorSettings settings = {}) {
    return Door(
        io, evaluator, [this](const std::string& name) { return find(name); }, settings, input[0], output[1]);
  }
  /// Everything written so far, a document a line.
  std::vector<json> read_all() {
    ::close(std::exchange(output[1], -1));
    std::string text;
    char block[4096];
    for (ssize_t got; (got = ::read(output[0], block, sizeof block)) > 0;)
      text.append(block, static_cast<std::size_t>(got));
    std::vector<json> documents;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) documents.push_back(json::parse(line));
    return documents;
  }
  static std::string request(const std::string& id, const std::string& source = "x") {
    return json{{"id", id}, {"task", "softmax"}, {"language", "cpp"}, {"source", source}}.dump() + "\n";
  }

  boost::asio::io_context io;
  HeldEvaluator evaluator{io};
  Task task;
  int input[2] = {-1, -1}, output[2] = {-1, -1};
};

TEST_F(DoorTest, WritesEachVerdictAsItEndsWithRewardAndRawNumbers) {
  auto door = make_door();
  std::optional<DoorCount> count;
  door.run([&](DoorCount told) { count = told; });
  write(request("first") + "\n" + request("second"));
  close_input();
  while (evaluator.asked < 2) io.run_one();
  evaluator.answer_last();
  evaluator.answer_last();
  io.run();
  ASSERT_TRUE(count);
  EXPECT_EQ(count->verdicts, 2u);
  const auto lines = read_all();
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0].at("id"), "second") << "order of completion";
  EXPECT_EQ(lines[0].at("schema"), door_schema);
  EXPECT_EQ(lines[0].at("correct"), true);
  EXPECT_DOUBLE_EQ(lines[0].at("reward"), 1.8);
  EXPECT_THAT(lines[0].at("reward_formula").get<std::string>(), HasSubstr("Kevin"));
  EXPECT_EQ(lines[0].at("verdict").at("timing").at("speedup"), 1.5);
  EXPECT_EQ(lines[1].at("id"), "first");
}

TEST_F(DoorTest, ABadLineIsAnsweredWithItsNumberAndEndsNothing) {
  evaluator.at_once = true;
  auto door = make_door({.longest_line = 200});
  std::optional<DoorCount> count;
  door.run([&](DoorCount told) { count = told; });
  write("{\"id\": 1, \n" + request("ok") + "\n" + R"({"id": 7, "task": "sofmax", "source": "x"})" + "\n" +
        R"({"id": 8, "task": "softmax", "source": "x", "language": "fortran"})" + "\n" +
        R"({"task": "softmax"})" + "\n" + R"({"id": 9, "task": "softmax", "source": 4})" + "\n" +
        request("long", std::string(300, 'x')) + request("end"));
  close_input();
  io.run();
  ASSERT_TRUE(count);
  EXPECT_EQ(count->verdicts, 2u);
  EXPECT_EQ(count->errors, 6u);
  std::map<int, json> errors;
  std::vector<std::string> verdicts;
  for (const auto& line : read_all()) {
    if (line.contains("error"))
      errors[line.at("line")] = line;
    else
      verdicts.push_back(line.at("id"));
  }
  EXPECT_THAT(verdicts, testing::ElementsAre("ok", "end"));
  EXPECT_THAT(errors.at(1).at("error").get<std::string>(), HasSubstr("no JSON"));
  EXPECT_THAT(errors.at(1).at("error").get<std::string>(), HasSubstr("one object a line"));
  EXPECT_EQ(errors.at(1).at("id"), 1) << "as far as it can be told";
  EXPECT_THAT(errors.at(4).at("error").get<std::string>(), HasSubstr("no task 'sofmax'"));
  EXPECT_EQ(errors.at(4).at("id"), 7) << "ids come back as they came";
  EXPECT_THAT(errors.at(5).at("error").get<std::string>(), HasSubstr("there are: cpp, cuda"));
  EXPECT_THAT(errors.at(6).at("error").get<std::string>(), HasSubstr("'id'"));
  EXPECT_THAT(errors.at(7).at("error").get<std::string>(), HasSubstr("'source' must be a string"));
  EXPECT_THAT(errors.at(8).at("error").get<std::string>(), HasSubstr("longer than 200"));
}

TEST_F(DoorTest, AMisspeltOrDoubledKeyIsNotGuessedAt) {
  evaluator.at_once = true;
  auto door = make_door();
  std::optional<DoorCount> count;
  door.run([&](DoorCount told) { count = told; });
  write(R"({"id": "a", "task": "softmax", "langauge": "cuda", "source": "x"})"
        "\n"
        R"({"id": "b", "task": "softmax", "source": "x", "source": "y"})"
        "\n"
        R"({"id": "c", "id": "d", "task": "softmax", "source": "x"})"
        "\n[1]\n"
        R"({"task": "softmax", "source": "x", "id: 4})"
        "\n");
  close_input();
  io.run();
  ASSERT_TRUE(count);
  EXPECT_TRUE(count->nothing_but_errors());
  const auto lines = read_all();
  ASSERT_EQ(lines.size(), 5u);
  const auto text = [&](std::size_t i) { return lines.at(i).at("error").get<std::string>(); };
  EXPECT_THAT(text(0), HasSubstr("the key 'langauge' is unknown; did you mean \"language\"?"));
  EXPECT_EQ(lines[0].at("id"), "a");
  EXPECT_THAT(text(1), HasSubstr("'source' stands more than once"));
  EXPECT_EQ(lines[1].at("id"), "b");
  EXPECT_THAT(text(2), HasSubstr("'id' stands more than once"));
  EXPECT_THAT(text(3), HasSubstr("no JSON object; a request has id, task"));
  EXPECT_TRUE(lines[3].at("id").is_null());
  EXPECT_EQ(lines[3].at("line"), 4);
  EXPECT_TRUE(lines[4].at("id").is_null());
}

TEST_F(DoorTest, AnIdIsGivenToOneRequestAlone) {
  evaluator.at_once = true;
  auto door = make_door();
  std::optional<DoorCount> count;
  door.run([&](DoorCount told) { count = told; });
  write(R"({"id": "a", "task": "sofmax", "source": "x"})"
        "\n" +
        request("a") + request("b") + request("a") + R"({"id": 1, "task": "softmax", "source": "x"})" + "\n" +
        R"({"id": "1", "task": "softmax", "source": "x"})" + "\n");
  close_input();
  io.run();
  EXPECT_EQ(count->verdicts, 4u) << "a line that was refused may be sent again, and 1 is not \"1\"";
  ASSERT_EQ(count->errors, 2u);
  EXPECT_FALSE(count->nothing_but_errors());
  const auto lines = read_all();
  const auto doubled = std::ranges::find_if(lines, [](const json& one) { return one.value("line", 0) == 4; });
  ASSERT_NE(doubled, lines.end());
  EXPECT_THAT(doubled->at("error").get<std::string>(), HasSubstr("the id \"a\" stands in line 2 already"));
}

TEST_F(DoorTest, SourcesAreReadByWhomeverKnowsAnswers) {
  evaluator.at_once = true;
  DoorSettings settings;
  settings.read_source = [](const std::string& source, const Task& seen, Language language) -> SourceRead {
    EXPECT_EQ(seen.name, "softmax");
    EXPECT_EQ(language, Language::cpp);
    if (source == "prose") throw BadInput("no kernel is in it");
    return source == "plain" ? SourceRead{source, ""} : SourceRead{"taken out", "it was fenced"};
  };
  auto door = make_door(settings);
  door.run([](const DoorCount&) {});
  write(request("plain", "plain") + request("fenced", "fenced") + request("prose", "prose"));
  close_input();
  io.run();
  std::map<std::string, json> lines;
  for (auto& one : read_all()) lines[one.at("id")] = one;
  EXPECT_FALSE(lines.at("plain").contains("note"));
  EXPECT_EQ(lines.at("fenced").at("note"), "it was fenced");
  EXPECT_EQ(lines.at("fenced").at("candidate"), make_candidate(Language::cpp, "taken out").hash);
  EXPECT_EQ(lines.at("prose").at("error"), "no kernel is in it");
}

TEST_F(DoorTest, AMachinesFailureIsNoRewardOfZero) {
  auto door = make_door();
  door.run([](const DoorCount&) {});
  write(request("lost") + request("unfit"));
  close_input();
  while (evaluator.asked < 2) io.run_one();
  for (const auto reason : {Reason::task_rejected, Reason::worker_lost}) {
    auto [asked, done] = std::move(evaluator.waiting.back());
    evaluator.waiting.pop_back();
    Verdict verdict;
    verdict.at(Stage::build) = {Status::unavailable, reason, "", 0};
    done(verdict);
  }
  io.run();
  std::map<std::string, json> lines;
  for (auto& one : read_all()) lines[one.at("id")] = one;
  for (const auto* id : {"lost", "unfit"}) {
    EXPECT_TRUE(lines.at(id).at("reward").is_null()) << id;
    EXPECT_EQ(lines.at(id).at("judged"), false) << id;
    EXPECT_TRUE(lines.at(id).at("correct").is_null()) << id;
    EXPECT_TRUE(lines.at(id).at("speedup").is_null()) << id;
    EXPECT_EQ(lines.at(id).at("status"), "unavailable") << id;
  }
  EXPECT_EQ(lines.at("lost").at("retryable"), true);
  EXPECT_EQ(lines.at("unfit").at("retryable"), false);
}

TEST_F(DoorTest, AClientMayWriteAllItsLinesBeforeItReadsTheFirstVerdict) {
  constexpr std::size_t lines = 3000;
  constexpr int patience_ms = 60'000;  // of a write that the door does not take: that is the failure
  evaluator.at_once = true;
  auto door = make_door({.memory = 10'000});
  std::optional<DoorCount> count;
  door.run([&](DoorCount told) { count = told; });
  std::thread engine([&] { io.run(); });
  ASSERT_EQ(::fcntl(input[1], F_SETFL, O_NONBLOCK), 0);
  bool hangs = false;
  for (std::size_t i = 0; i < lines && !hangs; ++i) {
    const auto text = i % 3 == 0 ? std::string("nonsense\n") : request(std::to_string(i));
    for (std::string_view rest = text; !rest.empty() && !hangs;) {
      pollfd room{input[1], POLLOUT, 0};
      hangs = ::poll(&room, 1, patience_ms) != 1;
      const ssize_t wrote = ::write(input[1], rest.data(), rest.size());
      if (wrote > 0) rest.remove_prefix(static_cast<std::size_t>(wrote));
    }
  }
  EXPECT_FALSE(hangs) << "several times what two pipes hold was to be written";
  close_input();
  if (hangs) ::close(std::exchange(output[0], -1));  // so that the door ends
  // The door ends only when all is written, and that is read here.
  std::string out;
  char block[65536];
  while (static_cast<std::size_t>(std::ranges::count(out, '\n')) < lines && !hangs) {
    const ssize_t got = ::read(output[0], block, sizeof block);
    ASSERT_GT(got, 0);
    out.append(block, static_cast<std::size_t>(got));
  }
  engine.join();
  ASSERT_TRUE(count);
  EXPECT_EQ(count->verdicts, lines * 2 / 3);
  EXPECT_EQ(count->errors, lines / 3);
  EXPECT_LE(evaluator.most_held, 16);
}

TEST_F(DoorTest, ATaskMayBeAFileAndLivesAsLongAsItsRequest) {
  auto door = make_door();
  door.run([](const DoorCount&) {});
  write(R"({"id": "a", "task": "mine.yaml", "source": "x"})"
        "\n"
        R"({"id": "b", "task": "gone.yaml", "source": "x"})"
        "\n");
  close_input();
  while (evaluator.asked < 1) io.run_one();
  EXPECT_EQ(evaluator.waiting.front().first.task->name, "mine");
  evaluator.answer_last();
  io.run();
  std::map<std::string, json> lines;
  for (auto& line : read_all()) lines[line.at("id")] = line;
  EXPECT_EQ(lines.at("a").at("task"), "mine");
  EXPECT_EQ(lines.at("b").at("error"), "gone.yaml: cannot be read");
}

TEST_F(DoorTest, ATaskOwnModuleMayBeAskedForCompiled) {
  task.reference = "class Model: …";
  task.module.emplace();
  auto door = make_door({.evaluate = {.isolation = "strict", .fallback = Fallback::reject}});
  door.run([](const DoorCount&) {});
  const auto line = [](const std::string& id, const std::string& more) {
    return R"({"id": ")" + id + R"(", "task": )" + more + "}\n";
  };
  write(line("kernels", R"("mine.yaml", "torch_compile": "default")") +
        line("both", R"("softmax", "torch_compile": "default", "source": "x")") +
        line("mode", R"("softmax", "torch_compile": "quick")") +
        line("good", R"("softmax", "torch_compile": "reduce-overhead")"));
  close_input();
  while (evaluator.asked < 1) io.run_one();
  const auto& asked = evaluator.waiting.front().first;
  EXPECT_EQ(asked.settings.torch_compile, CompileMode::reduce_overhead);
  EXPECT_EQ(asked.settings.isolation, "strict");
  EXPECT_EQ(asked.settings.fallback, Fallback::allow) << "a reference is made of operators";
  EXPECT_EQ(asked.candidate.source, task.reference);
  evaluator.answer_last();
  io.run();
  std::map<std::string, json> lines;
  for (auto& one : read_all()) lines[one.at("id")] = one;
  EXPECT_THAT(lines.at("kernels").at("error").get<std::string>(), HasSubstr("torch.compile is for modules"));
  EXPECT_THAT(lines.at("both").at("error").get<std::string>(), HasSubstr("leave 'source'"));
  EXPECT_THAT(lines.at("mode").at("error").get<std::string>(), HasSubstr("max-autotune-no-cudagraphs"));
  EXPECT_EQ(lines.at("good").at("correct"), true);
}

TEST_F(DoorTest, HandsOutNoMoreAtOnceThanAreAllowedInFlight) {
  auto door = make_door({.in_flight = 3});
  bool done = false;
  door.run([&](const DoorCount&) { done = true; });
  std::string all;
  for (int i = 0; i < 40; ++i) all += request(std::to_string(i));
  write(all);
  close_input();
  while (!done) {
    io.run_one();
    // Only when as many are held as allowed is one let go: the door must never have asked for more.
    if (evaluator.waiting.size() == 3 || evaluator.asked >= 38)
      if (!evaluator.waiting.empty()) evaluator.answer_last();
  }
  EXPECT_EQ(evaluator.asked, 40);
  EXPECT_EQ(evaluator.most_held, 3);
  EXPECT_EQ(read_all().size(), 40u);
}

TEST_F(DoorTest, ALastLineWithoutItsEndCounts) {
  evaluator.at_once = true;
  auto door = make_door();
  std::optional<DoorCount> count;
  door.run([&](DoorCount told) { count = told; });
  auto line = request("a");
  line.pop_back();
  write(line);
  close_input();
  io.run();
  EXPECT_EQ(count->verdicts, 1u);
}

TEST_F(DoorTest, EndsWhenNobodyReadsTheVerdicts) {
  evaluator.at_once = true;
  auto door = make_door();
  std::optional<DoorCount> count;
  door.run([&](DoorCount told) { count = told; });
  ::close(std::exchange(output[0], -1));
  write(request("a"));
  io.run();  // returns although the input is still open
  ASSERT_TRUE(count);
  EXPECT_THAT(count->broken, HasSubstr("cannot write verdicts"));
}

TEST_F(DoorTest, StoppingInTheMiddleCallsNobody) {
  auto door = make_door();
  door.run([](const DoorCount&) { ADD_FAILURE() << "called"; });
  write(request("a"));
  while (evaluator.asked < 1) io.run_one();
  door.stop();
  evaluator.answer_last();
  io.run();
  EXPECT_TRUE(read_all().empty());
}

}  // namespace
}  // namespace ridgeline::evaluation
