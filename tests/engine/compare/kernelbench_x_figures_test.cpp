// KernelBench-X's figures of a comparison: callable, repair bias by round, quantization, structure; and all
// figures as tables of comma-separated values.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/compare/csv.hpp"
#include "engine/compare/json.hpp"
#include "engine/compare/table.hpp"
#include "tests/engine/compare/trajectories.hpp"

namespace ridgeline::compare {
namespace {

using namespace samples;

CandidateOutcome raises() {
  auto outcome = wrong();
  outcome.callable = false;
  return outcome;
}

TEST(Callable, IsBetweenCompiledAndCorrect) {
  const auto comparison =
      compare({trajectory("one", "abs", {raises()}), trajectory("one", "cos", {wrong()}),
               trajectory("one", "sin", {correct(2)}), trajectory("one", "tan", {broken()})},
              {});
  const auto& row = comparison.strategies.front();
  EXPECT_EQ(row.compiled, 3);
  EXPECT_EQ(row.callable, 2);
  EXPECT_EQ(row.correct, 1);
  EXPECT_NE(terminal_table(comparison).find("1/2 50%"), std::string::npos) << "of callable, not of compiled";
  EXPECT_EQ(to_json(comparison).at("strategies").at(0).at("callable"), 2);
}

TEST(Rounds, HoldNewlySolvedAgainstThoseSolvedBefore) {
  const auto comparison = compare(
      {trajectory("loop", "abs", {correct(4), correct(4)}), trajectory("loop", "cos", {raises(), correct(1)}),
       trajectory("loop", "sin", {wrong(), correct(2)})},
      {});
  ASSERT_EQ(comparison.rounds.size(), 2u);
  const auto &first = comparison.rounds[0], &second = comparison.rounds[1];
  EXPECT_EQ(first.callable, 2);
  EXPECT_EQ(second.callable, 3);
  EXPECT_EQ(first.newly.kernels, 1);
  EXPECT_EQ(first.before.kernels, 0);
  EXPECT_EQ(first.repair.ratio, 0) << "nobody was right before the first round";
  EXPECT_EQ(second.newly.kernels, 2);
  EXPECT_EQ(second.before.kernels, 1);
  EXPECT_NEAR(second.repair.ratio, std::sqrt(2.0) / 4, 1e-12);
  EXPECT_LE(second.repair.interval.low, second.repair.ratio);
  EXPECT_GE(second.repair.interval.high, second.repair.ratio);
  EXPECT_NEAR(comparison.strategies[0].repair.ratio, std::sqrt(2.0) / 4, 1e-12) << "rescued over persistent";
  const auto document = to_json(comparison);
  EXPECT_TRUE(document.at("rounds").at(0).at("newly_over_before").at("ratio").is_null());
  EXPECT_GT(document.at("rounds").at(1).at("newly_over_before").at("ratio").get<double>(), 0.3);
}

TEST(SpeedRatios, DrawWholeTasks) {
  const auto same = ratio_of({{"a", 2}, {"b", 8}}, {{"a", 1}, {"b", 4}});
  EXPECT_NEAR(same.ratio, 2, 1e-12);
  EXPECT_NEAR(same.interval.low, 2, 1e-12) << "each task has the same ratio, so no draw differs";
  EXPECT_NEAR(same.interval.high, 2, 1e-12);
  EXPECT_EQ(ratio_of({{"a", 2}}, {{"b", 0}}).ratio, 0);
}

TEST(QuantizedTasks, HaveDistancesAndWhoDoesNotQuantize) {
  auto right = correct(1);
  right.quantization = QuantizationDistance{.cosine = 0.99, .relative_l1 = 0.1, .rmse = 0.2, .sqnr_db = 30};
  auto better = right;
  better.quantization->relative_l1 = 0.3;
  auto plain = wrong();
  plain.not_quantized = true;
  const auto comparison = compare(
      {trajectory("loop", "matmul_w8a8", {plain, right}, "Quantization"),
       trajectory("loop", "bmm_w8a8", {better}, "Quantization"),
       trajectory("loop", "conv2d_w8a8", {plain}, "Quantization"), trajectory("loop", "abs", {plain})},
      {});
  ASSERT_EQ(comparison.quantization.size(), 1u);
  const auto& row = comparison.quantization.front();
  EXPECT_EQ(row.tasks, 3);
  EXPECT_EQ(row.solved, 2);
  EXPECT_EQ(row.candidates, 4);
  EXPECT_EQ(row.not_quantized, 2) << "what other tasks refuse counts nowhere";
  EXPECT_EQ(row.measured, 2);
  EXPECT_DOUBLE_EQ(row.distance.relative_l1, 0.2);
  EXPECT_NE(terminal_table(comparison).find("\nQuantized tasks\n"), std::string::npos);
  EXPECT_DOUBLE_EQ(to_json(comparison).at("quantization").at(0).at("relative_l1").get<double>(), 0.2);
  EXPECT_TRUE(compare({trajectory("loop", "abs", {plain})}, {}).quantization.empty());
}

Task task_of(std::string reference, std::vector<Parameter> parameters = {}) {
  Task task;
  task.reference = std::move(reference);
  task.parameters = std::move(parameters);
  return task;
}

TEST(Structure, CountsOperatorsOfTheText) {
  const auto structure =
      structure_of(task_of("def reference(x, w):\n"
                           "    # torch.sum(x) in a comment\n"
                           "    n = x.size(-1)  # x.sum()\n"
                           "    y = torch.matmul(x, w) * 2 - helper(-x)\n"
                           "    return torch.gather(torch.softmax(y, dim=-1), 1, x.long()), y == \"a + b\"\n",
                           {Tensor{.name = "x", .shape = {Expression::parse("N"), Expression::parse("M")}},
                            Tensor{.name = "y", .role = Role::out, .shape = {Expression::parse("N")}},
                            Tensor{.name = "z", .role = Role::out, .shape = {Expression::parse("N")}}}));
  EXPECT_EQ(structure.operators, 7) << "matmul * - gather softmax long ==";
  EXPECT_EQ(structure.reductions, 2);
  EXPECT_EQ(structure.indexing, 1);
  EXPECT_EQ(structure.outputs, 2);
  EXPECT_EQ(structure.rank, 2);
}

TEST(Structure, LeavesOutWhatOnlyMakesAModule) {
  const auto structure =
      structure_of(task_of("class Model(nn.Module):\n"
                           "    def __init__(self):\n"
                           "        self.w = torch.rand(3) * 2\n"
                           "    def forward(self, x):\n"
                           "        return self.norm(x).sum(-1)\n"
                           "def get_inputs():\n"
                           "    return [torch.rand(3) + 1]\n"));
  EXPECT_EQ(structure.operators, 2);
  EXPECT_EQ(structure.reductions, 2);
}

TEST(Structure, AnExponentADecoratorAndACallOfTheTextsOwnAreNoOperators) {
  const auto structure =
      structure_of(task_of("class Model(nn.Module):\n"
                           "    @torch.no_grad()\n"
                           "    def scaled(self, x):\n"
                           "        return torch.relu(x + 1e-5)\n"
                           "    @staticmethod\n"
                           "    def relu(x):\n"
                           "        return x\n"
                           "    def forward(self, x):\n"
                           "        return self.scaled(x)\n"));
  EXPECT_EQ(structure.operators, 2) << "relu +";
}

TEST(Structure, CorrelatesByRanks) {
  const auto rising = spearman({1, 2, 3, 4, 5, 6, 7}, {1, 4, 9, 16, 25, 36, 1e9});
  EXPECT_NEAR(rising.rho, 1, 1e-12);
  EXPECT_LT(rising.p, 0.01);
  EXPECT_EQ(spearman({1, 1, 1, 1, 1}, {1, 2, 3, 4, 5}).rho, 0);
  // By hand, with mid-ranks 1.5 1.5 3 4 5 and 2 1 3 5 4.
  EXPECT_NEAR(spearman({1, 1, 2, 3, 4}, {2, 1, 3, 5, 4}).rho, 8.5 / std::sqrt(9.5 * 10), 1e-12);
}

TEST(Structure, IsHeldAgainstWhatIsSolved) {
  std::vector<ComparedTrajectory> trajectories;
  for (int i = 0; i < 8; ++i) {
    trajectories.push_back(trajectory("loop", "task " + std::to_string(i), {i < 4 ? correct(2) : wrong()}));
    trajectories.back().structure = TaskStructure{.operators = 10 * i, .rank = 2};
  }
  const auto comparison = compare(trajectories, {});
  ASSERT_EQ(comparison.structure.size(), 5u);
  EXPECT_EQ(comparison.structure[0].proxy, "operators");
  EXPECT_LT(comparison.structure[0].solved.rho, -0.8);
  EXPECT_EQ(comparison.structure[0].speedup.tasks, 4);
  EXPECT_NE(terminal_table(comparison).find("\nHow references are built\n"), std::string::npos);
  EXPECT_EQ(to_json(comparison).at("structure").size(), 5u);
}

TEST(Categories, HaveTheShareThatNoStrategySolves) {
  const auto comparison = two_strategies();
  EXPECT_EQ(unsolved_by_all(comparison, "MatMul"), std::pair(1, 1));
  EXPECT_EQ(unsolved_by_all(comparison, "Math"), std::pair(0, 1));
  EXPECT_EQ(to_json(comparison).at("categories").at(0).at("unsolved_by_all"), 1);
}

TEST(Csv, HasEachFigureUnderTheNameInJson) {
  const auto tables =
      csv_tables({{"schema", "s"},
                  {"budget", {{"calls", 3}, {"usd", nullptr}}},
                  {"notes", {"a, b", "say \"so\""}},
                  {"strategies",
                   {{{"label", "one"}, {"speedup", {{"mean", 1.5}, {"interval", {1, 2}}}}},
                    {{"label", "two"}, {"all", {1, 2, 3, 4}}}}},
                  {"tasks", {{{"task", "abs"}, {"results", {{{"best", 2}}, {{"best", 3}}}}}}}});
  EXPECT_EQ(tables.at("summary"), "budget.calls,budget.usd,schema\n3,,s\n");
  EXPECT_EQ(tables.at("notes"), "index,value\n0,\"a, b\"\n1,\"say \"\"so\"\"\"\n");
  EXPECT_EQ(tables.at("strategies"),
            "index,label,speedup.interval.0,speedup.interval.1,speedup.mean,all\n0,one,1,2,1.5,\n1,two,,,,1 "
            "2 3 4\n");
  EXPECT_EQ(tables.at("tasks.results"), "tasks,index,best\n0,0,2\n0,1,3\n");
  EXPECT_EQ(tables.at("tasks"), "index,task\n0,abs\n");
}

TEST(Csv, HasNoColumnForAListThatIsMissingInSomeRows) {
  const auto tables = csv_tables({{"rounds", {{{"interval", nullptr}}, {{"interval", {1, 2}}}}}});
  EXPECT_EQ(tables.at("rounds"), "index,interval.0,interval.1\n0,,\n1,1,2\n");
}

TEST(Csv, ListsOfUnevenLengthStandInOneColumn) {
  const auto tables = csv_tables(
      {{"strategies", {{{"speedups", {1, 2}}}, {{"speedups", {3, 4, 5, 6, 7}}}, {{"speedups", {8}}}}}});
  EXPECT_EQ(tables.at("strategies"), "index,speedups\n0,1 2\n1,3 4 5 6 7\n2,8\n");
}

TEST(Csv, HoldsAWholeComparison) {
  const auto tables = csv_tables(to_json(two_strategies()));
  for (const auto* name : {"summary", "strategies", "rounds", "categories", "categories.strategies", "tasks",
                           "tasks.results", "contrasts", "contrasts.differences", "curves", "rooflines"})
    EXPECT_TRUE(tables.contains(name)) << name;
  EXPECT_EQ(tables.at("curves").substr(0, 13), "curves,index,")
      << "a strategy's points are one list in a list";
}

}  // namespace
}  // namespace ridgeline::compare
