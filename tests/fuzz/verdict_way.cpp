#include "tests/fuzz/verdict_way.hpp"

#include <exception>
#include <nlohmann/json.hpp>

#include "engine/core/codec.hpp"
#include "engine/worker/protocol/messages.hpp"
#include "tests/fuzz/target.hpp"

namespace ridgeline::fuzz {

void require_arrives(const Verdict& verdict) {
  const auto sent = protocol::encode(protocol::FromJudge{protocol::Judged{"j", verdict}});
  protocol::FrameReader reader;
  reader.feed(protocol::encode_frame(sent));
  const auto received = reader.next();
  require(received.has_value(), "a verdict's frame is whole");
  try {
    const auto read = std::get<protocol::Judged>(protocol::decode_from_judge(*received));
    require(dump_json(protocol::encode(protocol::FromJudge{read})) == dump_json(*received),
            "a verdict arrives as it was sent");
  } catch (const std::logic_error&) {
    throw;
  } catch (const std::exception&) {
    require(false, "a verdict that was sent can be read");
  }
}

}  // namespace ridgeline::fuzz
