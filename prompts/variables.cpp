#include "prompts/variables.hpp"

namespace ridgeline::prompts {

const std::vector<VariableHelp>& variable_help() {
  static const std::vector<VariableHelp> all{
      // parts, rendered from prompts/common/
      {"task",
       "common/task.md; of KernelBench's tasks task_model_new.md, or task_module.md where a kernel is "
       "wanted"},
      {"examples",
       "common/example_<language>.md and examples_more_<language>.md, by the strategy's setting; else empty"},
      {"hardware", "common/hardware.md, by the strategy's setting; else empty"},
      {"rules",
       "common/rules_<language>_<form>_<backend>.md, rules_<language>_<form>.md, "
       "rules_<language>_<backend>.md or rules_<language>.md, the first that there is, <form> being kernel "
       "or module; examples likewise"},
      {"module_rules", "common/module_rules.md: what holds for every module"},
      {"answer_whole", "common/answer_whole.md: answer with the whole file"},
      {"answer_diff", "common/answer_diff.md: answer with search-and-replace edits"},
      // the task
      {"name", "the task's name"},
      {"description", "what it computes"},
      {"formula", "its formula as a line of its own; empty if it has none"},
      {"reference", "the reference's TorchScript text, fenced"},
      {"model", "the reference as a file in KernelBench's format, with a class Model, fenced"},
      {"stub", "the declaration to implement, fenced, an argument a line with shape and role"},
      {"inputs", "how inputs are drawn, a line each"},
      {"cases", "the visible cases with their sizes, a line each"},
      {"contract", "what counts as right, in words"},
      {"entry_point", "the function's name"},
      {"calls", "the calls that a task of functions makes, with the tensors' shapes, fenced"},
      {"call", "what is called: \"`forward`\", or the function's name"},
      {"workspace", "the declarations of a kernel with scratch memory, fenced"},
      // the machine
      {"language", "\"C++\", \"CUDA C++\", …"},
      {"fence", "the info string of a code block in that language"},
      {"device", "what it runs on, with measured ceilings"},
      {"toolchain", "compiler and flags"},
      // feedback, each with its heading; empty where the ask has none
      {"source", "the candidate to change"},
      {"errors", "compiler diagnostics, failure of the call, or mismatch"},
      {"time", "times and speed-up a case"},
      {"roofline", "bound, distance to the roof, counters"},
      {"history", "earlier attempts, a line each"},
      {"ancestors", "earlier candidates with source, time, efficiency and analysis, worst first"},
      {"reflection", "what a critic wrote about the candidate"},
      {"answer", "why the last answer held no kernel"},
      {"knowledge",
       "the file of the campaign's knowledge folder that is nearest to the candidate or the task"},
  };
  return all;
}

std::vector<std::string> standard_variables() {
  std::vector<std::string> names;
  for (const auto& variable : variable_help()) names.emplace_back(variable.name);
  return names;
}

}  // namespace ridgeline::prompts
