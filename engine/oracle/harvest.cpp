#include "engine/oracle/harvest.hpp"

#include "engine/core/json_fields.hpp"

namespace ridgeline::oracle {

void from_json(const nlohmann::json& in, Harvest& out) {
  in.at("calls").get_to(out.calls);
  in.at("chosen").get_to(out.chosen);
  for (const auto& call : in.at("left_out"))
    out.unjudged.push_back({call.at("call"), call.at("why").get<CallFault>(), call.at("words")});
  if (out.chosen.empty()) return;
  in.at("text").get_to(out.text);
  in.at("adapter").get_to(out.adapter);
  in.at("within").get_to(out.within);
  in.at("fixed_inputs").get_to(out.fixed_inputs);
  in.at("replayed").get_to(out.replayed_inputs);
}

}  // namespace ridgeline::oracle
