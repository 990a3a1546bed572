#include "engine/submissions/outcome.hpp"

#include "engine/core/json_fields.hpp"

namespace ridgeline::submissions {

nlohmann::json as_json(const Correctness& correctness) {
  return {{"call", correctness.call},
          {"call_error", correctness.call_error},
          {"quality", correctness.quality},
          {"execution", correctness.execution},
          {"execution_error", correctness.execution_error},
          {"in_one_process", correctness.in_one_process},
          {"in_one_process_error", correctness.in_one_process_error},
          {"quantization", correctness.quantization},
          {"notes", correctness.notes},
          {"seconds", correctness.seconds}};
}

nlohmann::json as_json(const Performance& performance) {
  return {{"end", performance.end},
          {"sizes", performance.sizes},
          {"error", performance.error},
          {"seconds", performance.seconds}};
}

Correctness correctness_from(const nlohmann::json& document) {
  Correctness correctness;
  document.at("call").get_to(correctness.call);
  document.at("call_error").get_to(correctness.call_error);
  correctness.quality = document.at("quality");
  document.at("execution").get_to(correctness.execution);
  document.at("execution_error").get_to(correctness.execution_error);
  document.at("in_one_process").get_to(correctness.in_one_process);
  document.at("in_one_process_error").get_to(correctness.in_one_process_error);
  correctness.quantization = document.at("quantization");
  document.at("notes").get_to(correctness.notes);
  document.at("seconds").get_to(correctness.seconds);
  return correctness;
}

Performance performance_from(const nlohmann::json& document) {
  Performance performance;
  document.at("end").get_to(performance.end);
  if (!document.at("sizes").is_null()) performance.sizes = document.at("sizes");
  document.at("error").get_to(performance.error);
  document.at("seconds").get_to(performance.seconds);
  return performance;
}

}  // namespace ridgeline::submissions
