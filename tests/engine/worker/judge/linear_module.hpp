// A small module as a task.
#pragma once

#include <vector>

#include "engine/core/codec.hpp"
#include "engine/core/task.hpp"

namespace ridgeline::judge {

inline const char* const linear_model = R"(
import torch
class Model(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = torch.nn.Linear(width, width)
    def forward(self, x):
        return self.linear(x)
def get_inputs():
    return [torch.rand(64, 30)]
def get_init_inputs():
    return [30]
)";

inline Task linear_task() {
  const auto tensor = [](const char* name, Role role, std::vector<const char*> shape, Draw draw,
                         const char* state = "") {
    Tensor made;
    made.name = name;
    made.role = role;
    for (const auto* extent : shape) made.shape.push_back(Expression::parse(extent));
    made.input = {draw, Expression::parse("0"), Expression::parse("1"), draw != Draw::reference};
    made.state = state;
    return made;
  };
  Task task;
  task.name = "linear";
  task.reference = linear_model;
  task.module = Module{"level1/1_linear", "[30]", "{}", true};
  task.parameters = {tensor("x", Role::in, {"64", "30"}, Draw::uniform),
                     tensor("weight", Role::in, {"30", "30"}, Draw::reference, "linear.weight"),
                     tensor("bias", Role::in, {"30"}, Draw::reference, "linear.bias"),
                     tensor("y", Role::out, {"64", "30"}, Draw::normal)};
  task.cases = {Case{"published", {}, true, false, false, "cpu"}};
  Elementwise contract;
  contract.reduction = Expression::parse("30");
  task.contract = contract;
  task.bytes = task.operations = Expression::parse("1000");
  task.hash = hash_of(task);
  return task;
}

}  // namespace ridgeline::judge
