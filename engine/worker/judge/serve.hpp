// The judge's side of its conversation with the agent: one request, one answer, until the stream ends.
#pragma once

#include "engine/worker/judge/judge.hpp"
#include "engine/worker/protocol/messages.hpp"

namespace ridgeline::judge {

/// Reads frames from `in` and writes answers to `out`, until `in` ends or a request says quit. A request that
/// cannot be understood or done is answered by Failed. Throws ProtocolError if the stream is broken.
void serve(Judge& judge, int in, int out);

}  // namespace ridgeline::judge
