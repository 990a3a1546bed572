#include "engine/core/codec.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/core/effects.hpp"
#include "engine/core/error.hpp"

namespace ridgeline {
namespace {

Task sample_task() {
  Task task;
  task.name = "compact";
  task.category = "Index";
  task.sizes = {"N"};
  Tensor x{"x", DType::float32, Role::in, {Expression::parse("N")}, {}, ""};
  x.input.draw = Draw::uniform;
  Tensor out{"out", DType::float32, Role::out, {Expression::parse("N")}, {}, "count"};
  Tensor count{"count", DType::int64, Role::out, {Expression::parse("1")}, {}, ""};
  task.parameters = {x, Scalar{"eps", ScalarType::float64, Expression::parse("0.5")}, out, count};
  task.cases = {Case{"small", {{"N", 8}}, false, true, false}};
  task.reference = "def reference(x: Tensor, eps: float):\n    return x";
  task.contract = Quantized{Expression::parse("N"), 0.01, "def unquantized(x): return x"};
  task.operations = Expression::parse("2 * N");
  task.bytes = Expression::parse("8 * N");
  task.hash = hash_of(task);
  return task;
}

TEST(Codec, ATaskComesBackWithTheSameHash) {
  const auto task = sample_task();
  const auto back = nlohmann::json::parse(nlohmann::json(task).dump()).get<Task>();
  EXPECT_EQ(hash_of(back), task.hash);
  ASSERT_TRUE(std::holds_alternative<Quantized>(back.contract));
  EXPECT_EQ(std::get<Quantized>(back.contract).step_fraction, 0.01);
  EXPECT_EQ(back.tensors()[0]->input.draw, Draw::uniform);
  EXPECT_EQ(back.scalars()[0]->value.evaluate({}), 0.5);
  EXPECT_TRUE(back.cases[0].hidden);
}

TEST(Codec, KernelResourcesComeBackAndAnOlderVerdictHasNone) {
  Verdict verdict;
  verdict.resources = {{"softmax_rows", "sm_90", 40, 8, 16, 24, 2048, 400, 1}};
  auto document = nlohmann::json(verdict);
  const auto back = document.get<Verdict>();
  ASSERT_EQ(back.resources.size(), 1u);
  EXPECT_EQ(back.resources[0].kernel, "softmax_rows");
  EXPECT_EQ(back.resources[0].registers, 40);
  EXPECT_EQ(back.resources[0].spill_loads, 16);
  EXPECT_EQ(back.resources[0].shared, 2048);
  EXPECT_EQ(back.resources[0].barriers, 1);
  document.erase("resources");
  EXPECT_TRUE(document.get<Verdict>().resources.empty());
}

TEST(Codec, LaunchesAndCountersComeBackAndAnOlderVerdictHasNone) {
  Verdict verdict;
  KernelLaunch launch;
  launch.case_name = "gpu";
  launch.kernel = "softmax_rows";
  launch.grid = {4096, 2, 1};
  launch.block = {32, 8, 1};
  launch.registers = 40;
  launch.shared = 2048;
  launch.local = 16;
  launch.seconds = 73e-6;
  launch.dram_bytes = 114e6;
  launch.achieved_occupancy = 0.94;
  launch.theoretical_occupancy = 0.75;
  launch.limit = OccupancyLimit::registers;
  verdict.launches = {launch};
  verdict.rooflines.resize(1);
  verdict.rooflines[0].bytes_source = Source::cupti;
  verdict.rooflines[0].counters = {{"dram_read_bytes", 67e6, Source::cupti}};
  auto document = nlohmann::json::parse(dump_json(nlohmann::json(verdict)));
  const auto back = document.get<Verdict>();
  EXPECT_EQ(nlohmann::json(back), nlohmann::json(verdict));
  ASSERT_EQ(back.launches.size(), 1u);
  EXPECT_EQ(back.launches[0].kernel, "softmax_rows");
  EXPECT_EQ(back.launches[0].blocks(), 8192);
  EXPECT_EQ(back.launches[0].threads_per_block(), 256);
  EXPECT_EQ(back.launches[0].local, 16);
  EXPECT_EQ(back.launches[0].theoretical_occupancy, 0.75);
  EXPECT_EQ(back.launches[0].limit, OccupancyLimit::registers);
  EXPECT_EQ(back.rooflines[0].counters[0].source, Source::cupti);
  document.erase("launches");
  EXPECT_TRUE(document.get<Verdict>().launches.empty());
}

TEST(Codec, FactorsComeBackAndATaskWithoutThemKeepsItsHash) {
  auto task = sample_task();
  UpToSign contract;
  task.contract = contract;
  const auto plain = nlohmann::json(task);
  EXPECT_FALSE(plain["contract"].contains("factors"));
  contract.factors = {"u", "v"};
  task.contract = contract;
  const auto before = plain.get<Task>();
  EXPECT_NE(hash_of(task), hash_of(before));
  EXPECT_EQ(std::get<UpToSign>(nlohmann::json(task).get<Task>().contract).factors, contract.factors);
}

TEST(Codec, AChoiceComesBackAndATaskWithoutOneKeepsItsHash) {
  auto task = sample_task();
  EXPECT_FALSE(nlohmann::json(task).contains("choice"));
  task.choice = Choice{{"mask"}, "def choose(x): return x", ByCheck{"def check(x): return x", {"distance"}}};
  const nlohmann::json document = task;
  const auto read = document.get<Task>();
  ASSERT_TRUE(read.choice);
  EXPECT_EQ(nlohmann::json(read), document);
  EXPECT_NE(hash_of(task), hash_of(sample_task()));
  Task before = task;  // a target that held a choice
  nlohmann::json(sample_task()).get_to(before);
  EXPECT_FALSE(before.choice);
}

TEST(Codec, AnyChangeOfMeaningChangesTheHash) {
  auto task = sample_task();
  task.cases[0].sizes["N"] = 9;
  EXPECT_NE(hash_of(task), task.hash);
}

TEST(Codec, KeepsEveryFieldOfAVerdict) {
  Verdict verdict;
  verdict.at(Stage::build) = {Status::passed, Reason::none, "", 0.4};
  verdict.at(Stage::call) = {Status::failed, Reason::crashed, "SIGSEGV", 0.1};
  verdict.call_failure =
      CallFailure{"ragged", true, InputSet::outlier, 11, "SIGSEGV", "", "past the end of x", ""};
  verdict.mismatches.push_back(
      Mismatch{.case_name = "a", .pattern = Pattern::tail, .first = {{{1, 2}, 3.0, 4.0}}});
  verdict.flags = {"operations over peak"};
  verdict.notes = {"timed by CPU time"};
  verdict.timing = Timing{};
  verdict.timing->cases.push_back(CaseTiming{.case_name = "a", .cold = {1e-6, 0.9e-6, 1.1e-6, {1e-6}, true}});
  const auto back = nlohmann::json::parse(dump_json(nlohmann::json(verdict))).get<Verdict>();
  EXPECT_EQ(nlohmann::json(back), nlohmann::json(verdict));
  EXPECT_EQ(back.notes, verdict.notes);
  EXPECT_EQ(back.failed_at(), Stage::call);
  EXPECT_EQ(back.reached(), Stage::build);
  EXPECT_EQ(back.call_failure->address, "past the end of x");
}

TEST(Verdict, OnlyFlagsAndRejectedTimesAreSuspicions) {
  Verdict verdict;
  verdict.notes = {"timed by CPU time, since other programs disturbed 11 of 12 samples"};
  EXPECT_TRUE(verdict.suspicions().empty());
  verdict.flags = {"operations over peak"};
  verdict.cheated = true;
  verdict.at(Stage::timing) = {Status::failed, Reason::implausible, "", 0};
  EXPECT_EQ(verdict.suspicions(),
            (std::vector<std::string>{"operations over peak", "cheated", "implausible"}));
}

TEST(Codec, AnUnknownNameIsAnErrorAndNotTheFirstEnumerator) {
  auto document = nlohmann::json(Verdict{});
  document["stages"]["build"]["status"] = "perhaps";
  EXPECT_THROW(document.get<Verdict>(), Error);
}

TEST(Codec, DumpSurvivesBytesThatAreNoUtf8) {
  EXPECT_EQ(dump_json(nlohmann::json{{"log", "a\xff"}}), "{\"log\":\"a\xef\xbf\xbd\"}");
}

// These names stand in stores and exports: renaming one needs a migration.
TEST(Names, ArePinned) {
  const auto joined = [](const std::vector<std::string>& names) {
    std::string text;
    for (const auto& name : names) text += name + " ";
    return text;
  };
  EXPECT_EQ(joined(all_names<Stage>()), "build call correctness timing profile ");
  EXPECT_EQ(joined(all_names<Status>()), "not_reached passed failed unavailable ");
  EXPECT_EQ(joined(all_names<AnswerStatus>()),
            "kernel prose no_code diff_failed model_failed missing_recording budget_exhausted "
            "cancelled ");
  EXPECT_EQ(
      joined(all_names<Reason>()),
      "none compile_error build_timeout build_limits missing_entry_point forbidden_flag compiler_missing "
      "load_error crashed timed_out exited memory_limit sandbox_violation launch_error raised wrong_values "
      "wrong_count "
      "out_of_bounds_write input_modified nondeterministic not_quantized lower_precision falls_back "
      "wrong_when_timed "
      "timing_disputed implausible counters_refused judge_failed worker_lost task_rejected unsupported ");
  EXPECT_EQ(joined(all_names<Language>()), "cpp cuda triton torch ");
  EXPECT_EQ(joined(all_names<InputSet>()), "standard outlier edge ");
}

}  // namespace
}  // namespace ridgeline
