// Tests which lines the door accepts, and which errors it answers to the others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "tests/engine/evaluation/door_bed.hpp"

namespace ridgeline::evaluation {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

class DoorRequests : public test::DoorBed {};

TEST_F(DoorRequests, AnswersABadLineWithItsNumberAndGoesOn) {
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
  EXPECT_THAT(verdicts, ::testing::ElementsAre("ok", "end"));
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

TEST_F(DoorRequests, JudgesALanguageOfTwoBackendsWhereTheDoorSays) {
  Task both;
  both.name = "both";
  both.cases.resize(2);
  both.cases[0].backend = "cpu";
  both.cases[1].backend = "cuda";
  const auto backends_for = [&](const std::string& language, const std::string& backend) {
    const auto line = json{{"id", "a"}, {"task", "both"}, {"language", language}, {"source", "x"}}.dump();
    const auto read = read_door_line(
        line, 1, [&](const std::string&) { return std::make_shared<const Task>(both); }, {}, {}, backend);
    std::vector<std::string> backends;
    for (const auto& seen : std::get<DoorRequest>(read).evaluation.task->cases)
      backends.push_back(seen.backend);
    return backends;
  };
  using ::testing::ElementsAre;
  EXPECT_THAT(backends_for("triton", "cpu"), ElementsAre("cpu"));
  EXPECT_THAT(backends_for("triton", "cuda"), ElementsAre("cuda"));
  EXPECT_THAT(backends_for("cpp", "cuda"), ElementsAre("cpu")) << "it runs nowhere else";
  EXPECT_THAT(backends_for("cuda", "cpu"), ElementsAre("cuda"));
}

TEST_F(DoorRequests, ARequestsOwnPrecisionGoalTakesThePlaceOfTheDoors) {
  const auto goal_of = [&](const std::string& more) -> std::variant<std::optional<double>, std::string> {
    const auto line = R"({"id": 1, "task": "softmax", "source": "x")" + more + "}";
    const auto read =
        read_door_line(line, 1, [&](const std::string&) { return std::make_shared<const Task>(task); },
                       {.precision_goal = 0.01});
    if (const auto* problem = std::get_if<DoorError>(&read)) return problem->what;
    return std::get<DoorRequest>(read).evaluation.settings.precision_goal;
  };
  EXPECT_EQ(std::get<0>(goal_of("")), 0.01);
  EXPECT_EQ(std::get<0>(goal_of(R"(, "precision_goal": 0.05)")), 0.05);
  for (const auto* bad : {"0", "5", "\"0.05\"", "null"})
    EXPECT_THAT(std::get<1>(goal_of(std::string(R"(, "precision_goal": )") + bad)),
                HasSubstr("must be a number from 0.001 to 0.5"));
}

TEST_F(DoorRequests, RefusesMisspeltAndRepeatedKeys) {
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

TEST_F(DoorRequests, RefusesARepeatedId) {
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

TEST_F(DoorRequests, ExtractsKernelsWithTheGivenReader) {
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

TEST_F(DoorRequests, GivesNoRewardWhereTheMachineFailed) {
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

TEST_F(DoorRequests, ReadsATaskFromAFileAndKeepsItForItsRequest) {
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

TEST_F(DoorRequests, JudgesATasksOwnModuleUnderTorchCompile) {
  task.reference = "class Model: …";
  task.module.emplace();
  auto door = make_door({.evaluate = {.isolation = "strict", .fallback = FallbackPolicy::reject}});
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
  EXPECT_EQ(asked.settings.fallback, FallbackPolicy::allow) << "a reference is made of operators";
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

}  // namespace
}  // namespace ridgeline::evaluation
