#include "engine/worker/protocol/messages.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/core/codec.hpp"

namespace ridgeline::protocol {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::ThrowsMessage;

Task small_task() {
  Task task;
  task.name = "scale";
  task.reference = "def reference(x):\n  return x * 2\n";
  task.hash = hash_of(task);
  return task;
}

TEST(Messages, ARequestCarriesTaskSourceAndSettings) {
  Evaluate evaluate{"e1", small_task(), make_candidate(Language::cpp, "int x;"), {}};
  evaluate.settings.isolation = "strict";
  evaluate.settings.time = false;
  evaluate.settings.build_flags = {"-ffast-math"};
  const auto without = encode(ToWorker{evaluate});
  EXPECT_FALSE(std::get<Evaluate>(decode_to_worker(without)).settings.torch_compile);
  EXPECT_FALSE(std::get<Evaluate>(decode_to_worker(without)).settings.precision_goal);
  EXPECT_FALSE(without.at("settings").contains("precision_goal")) << "hashes of older settings stay valid";
  evaluate.settings.torch_compile = CompileMode::max_autotune;
  evaluate.settings.precision_goal = 0.05;
  const json document = encode(ToWorker{evaluate});
  EXPECT_EQ(document.at("type"), "evaluate");
  EXPECT_EQ(document.at("protocol"), version);
  const auto back = std::get<Evaluate>(decode_to_worker(document));
  EXPECT_EQ(back.id, "e1");
  EXPECT_EQ(hash_of(back.task), evaluate.task.hash);
  EXPECT_EQ(back.candidate.source, "int x;");
  EXPECT_EQ(back.settings.isolation, "strict");
  EXPECT_FALSE(back.settings.time);
  EXPECT_EQ(back.settings.torch_compile, CompileMode::max_autotune);
  EXPECT_EQ(back.settings.precision_goal, 0.05);
  EXPECT_EQ(back.settings.build_flags, evaluate.settings.build_flags);
}

TEST(Messages, ExpectModulesGoesToWorkersAndToJudges) {
  const ExpectModules expect{"e", "cuda"};
  EXPECT_EQ(std::get<ExpectModules>(decode_to_worker(encode(ToWorker{expect}))).backend, "cuda");
  EXPECT_EQ(std::get<ExpectModules>(decode_to_judge(encode(ToJudge{expect}))).id, "e");
  EXPECT_EQ(encode(ToWorker{expect}).at("type"), "expect_modules");
}

TEST(Messages, AHelloCarriesWhatTheMachineCanDo) {
  Hello hello;
  hello.host = "node17";
  hello.languages = {"cpp"};
  hello.devices = {{"NVIDIA H200", "cuda", 1, 1.5e11}};
  hello.toolchains = {{"g++", "12.2.0", "/usr/bin/g++", "cpp", {"-O3"}}};
  hello.isolation = {"standard", "Landlock 7; seccomp", {"user namespaces: allow them"}};
  hello.counters = {false, "perf_event_paranoid is 3: set it to 2"};
  hello.window = 6;
  const auto back = std::get<Hello>(decode_from_worker(encode(FromWorker{hello})));
  EXPECT_EQ(back.host, "node17");
  EXPECT_EQ(back.devices.at(0).index, 1);
  EXPECT_EQ(back.toolchains.at(0).version, "12.2.0");
  EXPECT_EQ(back.isolation.missing, hello.isolation.missing);
  EXPECT_EQ(back.counters.why_not, hello.counters.why_not);
  EXPECT_EQ(back.window, 6);
}

TEST(Messages, EveryAnswerSurvivesEncodingAndDecoding) {
  Verdict verdict;
  verdict.at(Stage::build) = {Status::failed, Reason::compile_error, "line 3", 0.5};
  const auto evaluated = std::get<Evaluated>(decode_from_worker(encode(FromWorker{Evaluated{"a", verdict}})));
  EXPECT_EQ(evaluated.verdict.at(Stage::build).reason, Reason::compile_error);
  const auto checked = std::get<Checked>(
      decode_from_worker(encode(FromWorker{Checked{"c", {{"null test", false, "passed"}}}})));
  EXPECT_EQ(checked.items.at(0).message, "passed");
  const auto failed = std::get<Failed>(
      decode_from_worker(encode(FromWorker{Failed{"f", Failure::machine_cannot, "no g++"}})));
  EXPECT_EQ(failed.kind, Failure::machine_cannot);
  EXPECT_TRUE(std::holds_alternative<Quit>(decode_to_worker(encode(ToWorker{Quit{}}))));
  EXPECT_EQ(std::get<Cancel>(decode_to_worker(encode(ToWorker{Cancel{"x"}}))).id, "x");
}

TEST(Messages, EveryMessageBetweenAgentAndJudgeSurvivesEncodingAndDecoding) {
  JudgeRequest judge{"j1", small_task(), "/scratch/kernel.so", make_candidate(Language::cpp, "x"), {}};
  EXPECT_EQ(std::get<JudgeRequest>(decode_to_judge(encode(ToJudge{judge}))).artefact, "/scratch/kernel.so");
  Described described;
  described.id = "d";
  described.torch = "2.11.0";
  EXPECT_EQ(std::get<Described>(decode_from_judge(encode(FromJudge{described}))).torch, "2.11.0");
}

TEST(Messages, ANewerProtocolIsRefusedWithBothVersionsAndWhatToInstall) {
  json document = encode(FromWorker{Hello{}});
  document["protocol"] = version + 1;
  EXPECT_THAT([&] { decode_from_worker(document); },
              ThrowsMessage<ProtocolError>(AllOf(HasSubstr("protocol 2"), HasSubstr("speaks 1"),
                                                 HasSubstr("the same version of Ridgeline"),
                                                 HasSubstr("the other"))));
}

TEST(Messages, AnUnknownTypeIsRefusedWithTheKnownTypes) {
  json document = encode(ToWorker{Quit{}});
  document["type"] = "explode";
  EXPECT_THAT([&] { decode_to_worker(document); },
              ThrowsMessage<ProtocolError>(AllOf(
                  HasSubstr("'explode'"), HasSubstr("evaluate, check_task, expect_modules, cancel, quit"))));
}

TEST(Messages, AMissingKeyIsRefusedByName) {
  json document = encode(ToWorker{Evaluate{"e1", small_task(), {}, {}}});
  document.erase("task");
  EXPECT_THAT([&] { decode_to_worker(document); }, ThrowsMessage<ProtocolError>(HasSubstr("'task'")));
  EXPECT_EQ(id_of(document), "e1");
}

TEST(Messages, AValueOfTheWrongTypeThrowsAProtocolError) {
  json document = encode(ToWorker{Cancel{"x"}});
  document["id"] = 7;
  EXPECT_THROW(decode_to_worker(document), ProtocolError);
  document["id"] = "x";
  document["protocol"] = "one";
  EXPECT_THROW(decode_to_worker(document), ProtocolError);
  EXPECT_THROW(decode_to_worker(json::array()), ProtocolError);
  EXPECT_EQ(id_of(json::array()), "");
}

TEST(Messages, UnknownKeysAreIgnored) {
  json document = encode(ToWorker{Cancel{"x"}});
  document["colour"] = "blue";
  EXPECT_EQ(std::get<Cancel>(decode_to_worker(document)).id, "x");
}

TEST(Messages, TheNamesOfFailuresArePinned) {
  EXPECT_THAT(all_names<Failure>(), testing::ElementsAre("bad_request", "machine_cannot", "judge_failed"));
}

}  // namespace
}  // namespace ridgeline::protocol
