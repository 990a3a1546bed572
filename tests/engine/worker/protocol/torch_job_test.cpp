#include "engine/worker/protocol/torch_job.hpp"

#include <gtest/gtest.h>

#include "engine/core/error.hpp"
#include "engine/core/json_fields.hpp"

namespace ridgeline::protocol {
namespace {

TEST(TorchJob, WritesTheFileThatTheRunnerReads) {
  TorchJob job;
  job.source = "class ModelNew: …";
  job.init_arguments = R"([3, {"tuple": [1]}])";
  job.tensors = {{.name = "x", .dtype = DType::boolean, .shape = {2, 3}},
                 {.name = "w",
                  .shape = {},
                  .state = "conv.weight",
                  .kind = StateKind::buffer,
                  .argument = 1,
                  .offset = 64},
                 {.name = "y", .role = Role::out, .shape = {2}}};
  job.forward = {TensorAt{0}, PlainValue{"3"}};
  EXPECT_EQ(nlohmann::json::parse(to_json(job)), nlohmann::json::parse(R"({
    "class": "ModelNew", "source": "class ModelNew: …", "name": "answer.py",
    "init": {"arguments": [3, {"tuple": [1]}], "named": {}}, "training": true, "seed": 42,
    "tensors": [
      {"name": "x", "role": "in", "dtype": "bool", "shape": [2, 3], "state": "", "kind": "parameter"},
      {"name": "w", "role": "in", "dtype": "float32", "shape": [], "state": "conv.weight", "kind": "buffer",
       "argument": 1, "offset": 64},
      {"name": "y", "role": "out", "dtype": "float32", "shape": [2], "state": "", "kind": "parameter"}],
    "forward": [{"tensor": 0}, {"value": 3}]})"));
}

TEST(TorchJob, NamesTheCompileModeOfAReference) {
  TorchJob job;
  EXPECT_FALSE(nlohmann::json::parse(to_json(job)).contains("compile"));
  job.compile = CompileMode::reduce_overhead;
  EXPECT_EQ(nlohmann::json::parse(to_json(job)).at("compile"), "reduce-overhead");
}

TEST(TorchJob, ConstructsOnlyAReferenceOnItsDevice) {
  TorchJob job;
  EXPECT_FALSE(nlohmann::json::parse(to_json(job)).contains("in_place"))
      << "a candidate's weights are drawn on the CPU";
  job.in_place = true;
  EXPECT_EQ(nlohmann::json::parse(to_json(job)).at("in_place"), true);
}

TEST(TorchJob, NamesTheDtypeInWhichATaskIsPosed) {
  TorchJob job;
  EXPECT_FALSE(nlohmann::json::parse(to_json(job)).contains("cast_to"));
  job.cast_to = DType::bfloat16;
  EXPECT_EQ(nlohmann::json::parse(to_json(job)).at("cast_to"), "bfloat16");
}

TEST(TorchJob, RefusesValuesThatAreNotJson) {
  TorchJob job;
  job.init_arguments = "[torch.float32]";
  EXPECT_THROW(to_json(job), BadInput);
}

TEST(TorchJob, DescribesAKernelsSignatureAndItsShapesInSizes) {
  Task task;
  task.name = "scale";
  task.sizes = {"M", "N"};
  Tensor x{.name = "x", .shape = {Expression::parse("M"), Expression::parse("N // 2")}};
  Tensor y{.name = "y", .dtype = DType::complex64, .role = Role::inout, .shape = {}};
  task.parameters = {x, Scalar{"flag", ScalarType::boolean, Expression::parse("1")}, y,
                     Scalar{"eps", ScalarType::float64, Expression::parse("1 / M")},
                     Scalar{"step", ScalarType::int64, Expression::parse("10")}};
  const auto job = nlohmann::json::parse(to_json(kernel_job(task, "def kernel_scale(): …", "answer.py")));
  EXPECT_EQ(job.at("form"), "kernel");
  EXPECT_EQ(job.at("class"), "kernel_scale");
  EXPECT_EQ(job.at("sizes"), nlohmann::json({"M", "N"}));
  EXPECT_EQ(job.at("scalars"), nlohmann::json({"bool", "float64", "int64"}));
  EXPECT_EQ(job.at("tensors").at(0).at("shape"), nlohmann::json({"M", "N // 2"}));
  EXPECT_EQ(job.at("tensors").at(1).at("shape"), nlohmann::json::array());
  EXPECT_EQ(job.at("tensors").at(1).at("role"), "inout");
  EXPECT_EQ(nlohmann::json::parse(arranged_values(task, Case{"c", {{"N", 6}, {"M", 4}}})),
            nlohmann::json::parse(R"({"sizes": [4, 6], "floats": [0.25], "integers": [1, 10]})"));
}

}  // namespace
}  // namespace ridgeline::protocol
