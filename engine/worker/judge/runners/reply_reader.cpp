#include "engine/worker/judge/runners/reply_reader.hpp"

#include <cmath>
#include <cstring>

namespace ridgeline::judge {
namespace {

using runner::Answer;
using runner::Reply;

/// No order may take as long. A longer claim, or one that is no number, would spoil whatever is computed from
/// it: a NaN is null in JSON, which the reader of a verdict refuses, and so ended the judge.
constexpr double kMostDeviceSeconds = 1e5;

}  // namespace

std::optional<Reply> read_reply(std::span<const std::byte> packet) {
  if (packet.size() != sizeof(Reply)) return std::nullopt;
  Reply reply;
  std::memcpy(&reply, packet.data(), sizeof reply);
  const bool known = reply.answer >= Answer::ready && reply.answer <= Answer::no_sealing;
  const bool counted = std::isfinite(reply.device_seconds) && reply.device_seconds >= 0 &&
                       reply.device_seconds <= kMostDeviceSeconds;
  if (!known || !counted || reply.text_bytes > reply.text.size()) return std::nullopt;
  return reply;
}

}  // namespace ridgeline::judge
