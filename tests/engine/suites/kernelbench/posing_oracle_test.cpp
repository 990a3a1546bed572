// Files in another precision and with smaller shapes, as the oracle describes and checks them.
#include <gmock/gmock.h>

#include <cstring>

#include "engine/suites/modules/check_posed.hpp"
#include "tests/engine/oracle/oracle_bed.hpp"
#include "tests/engine/suites/kernelbench/small_clone.hpp"

namespace ridgeline::suites::kernelbench {
namespace {

using modules::PosedReport;
using modules::Posing;
using oracle::patience;
using oracle::shared_oracle;
using testing::HasSubstr;

PosedReport checked(const std::string& name, const Posing& posing) {
  return modules::check_posed(shared_oracle(), read_text(task_named(name)), posing, patience, false);
}

/// A file with `globals` at its top level; `model` is the body of the class Model.
oracle::TaskText file_of(const std::string& globals, const std::string& inputs,
                         const std::string& model = "    def forward(self, x):\n        return x + 1\n",
                         const std::string& init = "[]") {
  return {"level1/1_file", "import torch\n" + globals + "\n\nclass Model(torch.nn.Module):\n" + model +
                               "\ndef get_inputs():\n    return [" + inputs +
                               "]\n\ndef get_init_inputs():\n    return " + init + "\n"};
}

TEST(OraclePosesPrecision, CastsStateAndFloatingInputsAsKernelBenchDoes) {
  for (const auto dtype : {DType::bfloat16, DType::float16}) {
    const auto [posed, report] = checked("1_statistics", {dtype, 1});
    EXPECT_EQ(report.assessment.standing, Standing::ok) << report.assessment.reason;
    ASSERT_TRUE(report.description);
    const auto& input = oracle::tensors_of(report.description->inputs).at(0);
    EXPECT_EQ(input.dtype, dtype);
    EXPECT_EQ(input.provenance, oracle::Provenance(oracle::Uniform{0, 1})) << "the judge draws it";
    for (const auto& [kind, tensor] : report.description->state)
      EXPECT_EQ(tensor.dtype, tensor.name == "normal.num_batches_tracked" ? DType::int64 : dtype)
          << tensor.name;
    EXPECT_EQ(report.description->outputs.at(0).dtype, dtype);
    EXPECT_EQ(posed.file.cast_to, dtype);
  }
}

TEST(OraclePosesPrecision, LeavesIndicesAndPlainTensors) {
  const auto labels = checked("3_labels", {DType::bfloat16, 1}).report;
  EXPECT_EQ(labels.assessment.standing, Standing::ok) << labels.assessment.reason;
  const auto inputs = oracle::tensors_of(labels.description.value().inputs);
  EXPECT_EQ(inputs.at(0).dtype, DType::bfloat16);
  EXPECT_EQ(inputs.at(1).dtype, DType::int64);
  // Module.to casts no tensor that is neither parameter nor buffer.
  const auto hidden = checked("5_hidden_state", {DType::bfloat16, 1}).report;
  EXPECT_EQ(hidden.assessment.standing, Standing::ok) << hidden.assessment.reason;
  for (const auto& [kind, tensor] : hidden.description.value().state)
    EXPECT_EQ(tensor.dtype, kind == StateKind::attribute ? DType::float32 : DType::bfloat16) << tensor.name;
  EXPECT_EQ(hidden.description->outputs.at(0).dtype, DType::float32);
}

TEST(OraclePosesPrecision, RefusesAFileThatCannotRunInItWithTheReason) {
  const auto file = file_of("", "torch.rand(4, 8)",
                            "    def __init__(self):\n        super().__init__()\n"
                            "        self.table = torch.rand(8, 8)\n"
                            "    def forward(self, x):\n        return x @ self.table\n");
  const auto report =
      modules::check_posed(shared_oracle(), file, {DType::bfloat16, 1}, patience, false).report;
  EXPECT_EQ(report.assessment.standing, Standing::broken);
  EXPECT_THAT(report.assessment.reason, HasSubstr("same dtype"));
  EXPECT_EQ(modules::check_posed(shared_oracle(), file, {}, patience, false).report.assessment.standing,
            Standing::ok);
}

TEST(OraclePosesPrecision, RunsInFloat64OnTheSameCastValues) {
  const auto file = file_of("", "torch.rand(64)", "    def forward(self, x):\n        return x * x\n");
  auto cast = file;
  cast.cast_to = DType::bfloat16;
  auto& process = shared_oracle();
  const auto task = oracle::value_of(process.describe(cast, patience));
  oracle::Shelf inputs, outputs;
  inputs.add(oracle::tensors_of(task.inputs));
  outputs.add(task.outputs, oracle::Precision::float64);
  ASSERT_TRUE(std::holds_alternative<oracle::Loaded>(process.load(cast, {1}, {}, patience)));
  ASSERT_TRUE(std::holds_alternative<oracle::Drawn>(process.draw(7, inputs.memory(), patience)));
  ASSERT_TRUE(std::holds_alternative<oracle::RunResult>(
      process.run({.precision = oracle::Precision::float64}, outputs.memory(), patience)));
  const auto drawn = inputs.read<std::uint16_t>(0);
  const auto squares = outputs.read<double>(0);
  ASSERT_EQ(drawn.size(), 64u);
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const auto bits = static_cast<std::uint32_t>(drawn[i]) << 16;
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    EXPECT_EQ(squares[i], static_cast<double>(value) * value) << "no float32 before the cast";
  }
}

TEST(OracleScales, MakesTheBatchSmallerAndLeavesTheModel) {
  const auto [posed, report] = checked("1_statistics", {{}, 4});
  EXPECT_EQ(posed.scale, "1/4 (rows 8 to 2)");
  EXPECT_EQ(report.assessment.standing, Standing::ok) << report.assessment.reason;
  EXPECT_THAT(posed.file.text, HasSubstr("rows, width = 2, 16\n"));
  EXPECT_EQ(oracle::tensors_of(report.description.value().inputs).at(0).shape,
            (std::vector<std::int64_t>{2, 16}));
}

TEST(OracleScales, GoesOnWithTheNextNumberWhereOneIsUsedUp) {
  const auto file =
      file_of("batch_size = 2\nlength = 1024 * 2  # a comment", "torch.rand(batch_size, length)");
  const auto posed = oracle::value_of(modules::pose(shared_oracle(), file, {{}, 16}, patience));
  EXPECT_EQ(posed.scale, "1/16 (batch_size 2 to 1, length 2048 to 256)");
  EXPECT_THAT(posed.file.text, HasSubstr("length = 256  # a comment\n"));
}

TEST(OracleScales, DividesExactlyWhereFactorsAreNoPowersOfTwo) {
  const auto file = file_of("batch_size = 5\nlength = 49", "torch.rand(batch_size, length)");
  const auto posed = oracle::value_of(modules::pose(shared_oracle(), file, {{}, 7}, patience));
  EXPECT_EQ(posed.scale, "1/7 (batch_size 5 to 1, length 49 to 35)");
}

TEST(OracleScales, RefusesAFileWhoseNumbersBelongToTheModel) {
  const auto file = file_of("width = 64", "torch.rand(8, width)",
                            "    def __init__(self, width):\n        super().__init__()\n"
                            "        self.layer = torch.nn.Linear(width, width)\n"
                            "    def forward(self, x):\n        return self.layer(x)\n",
                            "[width]");
  const auto report = modules::check_posed(shared_oracle(), file, {{}, 2}, patience, false).report;
  EXPECT_EQ(report.assessment.standing, Standing::unsupported);
  EXPECT_THAT(report.assessment.reason,
              HasSubstr("scale 1/2: no number that get_inputs reads can be divided by 2"));
}

TEST(OracleScales, IsOfferedWhereATaskDoesNotFit) {
  const auto file = file_of("batch_size = 1 * 1048576\ndim = 1048576", "torch.rand(batch_size, dim)");
  const auto report = modules::check_posed(shared_oracle(), file, {}, patience, false).report;
  EXPECT_EQ(report.assessment.standing, Standing::does_not_fit);
  EXPECT_THAT(report.assessment.reason, HasSubstr("memory: needs "));
  EXPECT_THAT(report.assessment.reason,
              testing::ContainsRegex("at the scale 1/[0-9]+ \\(batch_size 1048576 to"));
}

}  // namespace
}  // namespace ridgeline::suites::kernelbench
