#include "engine/oracle/facts.hpp"

#include "engine/core/json_fields.hpp"

namespace ridgeline::oracle {
namespace {

/// A float64 run that failed has a reason in place of figures: it speaks not against the task.
Float64Facts float64_facts(const nlohmann::json& in) {
  if (const auto failure = in.find("failure"); failure != in.end()) return {.failure = *failure};
  return {number_from_json(in, "units"), read_json<std::uint64_t>(in.at("beyond")),
          read_json<std::uint64_t>(in.at("elements")), ""};
}

}  // namespace

void from_json(const nlohmann::json& in, CheckFacts& out) {
  in.at("trials").get_to(out.trials);
  in.at("repeats").get_to(out.repeats);
  in.at("random").get_to(out.random);
  if (!in.at("cast").is_null()) out.cast = in.at("cast").get<std::string>();
  for (const auto& null : in.at("nulls")) out.nulls.push_back({null.at("kind"), null.at("detail")});
  if (const auto exact = in.find("float64"); exact != in.end()) out.float64 = float64_facts(*exact);
  in.at("forward_seconds").get_to(out.forward_seconds);
}

}  // namespace ridgeline::oracle
