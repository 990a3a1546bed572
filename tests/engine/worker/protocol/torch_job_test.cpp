#include "engine/worker/protocol/torch_job.hpp"

#include <gtest/gtest.h>

#include "engine/core/error.hpp"
#include "engine/core/json_fields.hpp"

namespace ridgeline::protocol {
namespace {

TEST(TorchJob, IsTheFileThatTheRunnerReads) {
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

TEST(TorchJob, AReferenceMayBeCompiled) {
  TorchJob job;
  EXPECT_FALSE(nlohmann::json::parse(to_json(job)).contains("compile"));
  job.compile = CompileMode::reduce_overhead;
  EXPECT_EQ(nlohmann::json::parse(to_json(job)).at("compile"), "reduce-overhead");
}

TEST(TorchJob, OnlyAReferenceMayBeConstructedWhereItRuns) {
  TorchJob job;
  EXPECT_FALSE(nlohmann::json::parse(to_json(job)).contains("in_place"))
      << "a candidate's weights are drawn on the CPU";
  job.in_place = true;
  EXPECT_EQ(nlohmann::json::parse(to_json(job)).at("in_place"), true);
}

TEST(TorchJob, WhatIsNoJsonIsBadInput) {
  TorchJob job;
  job.init_arguments = "[torch.float32]";
  EXPECT_THROW(to_json(job), BadInput);
}

}  // namespace
}  // namespace ridgeline::protocol
