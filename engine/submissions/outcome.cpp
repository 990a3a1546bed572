#include "engine/submissions/outcome.hpp"

#include "engine/core/json_fields.hpp"

namespace ridgeline::submissions {

nlohmann::json as_json(const Judged& judged) {
  return {{"call", judged.call},
          {"call_error", judged.call_error},
          {"quality", judged.quality},
          {"execution", judged.execution},
          {"execution_error", judged.execution_error},
          {"in_one_process", judged.in_one_process},
          {"in_one_process_error", judged.in_one_process_error},
          {"quantization", judged.quantization},
          {"notes", judged.notes},
          {"seconds", judged.seconds}};
}

nlohmann::json as_json(const Timed& timed) {
  return {{"end", timed.end}, {"rows", timed.rows}, {"error", timed.error}, {"seconds", timed.seconds}};
}

Judged judged_from(const nlohmann::json& document) {
  Judged judged;
  document.at("call").get_to(judged.call);
  document.at("call_error").get_to(judged.call_error);
  judged.quality = document.at("quality");
  document.at("execution").get_to(judged.execution);
  document.at("execution_error").get_to(judged.execution_error);
  document.at("in_one_process").get_to(judged.in_one_process);
  document.at("in_one_process_error").get_to(judged.in_one_process_error);
  judged.quantization = document.at("quantization");
  document.at("notes").get_to(judged.notes);
  document.at("seconds").get_to(judged.seconds);
  return judged;
}

Timed timed_from(const nlohmann::json& document) {
  Timed timed;
  document.at("end").get_to(timed.end);
  if (!document.at("rows").is_null()) timed.rows = document.at("rows");
  document.at("error").get_to(timed.error);
  document.at("seconds").get_to(timed.seconds);
  return timed;
}

}  // namespace ridgeline::submissions
