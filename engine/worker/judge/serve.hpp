// The judge's side of its conversation with the agent: one request, one answer, until the stream ends.
// Between requests the judge prepares for the next.
#pragma once

#include "engine/worker/judge/judge.hpp"
#include "engine/worker/protocol/messages.hpp"

namespace ridgeline::judge {

/// Reads requests from `in` and writes an answer to each to `out`, until `in` ends or a request says quit,
/// which gets no answer. Answers Failed to a request that cannot be understood or done. But if the judge is
/// not sound afterwards, it throws what the request threw and sends no answer: the process is to end then,
/// and a fresh judge is asked. An Error other than MachineCannot is always answered, since a fresh judge
/// would fail too; OutOfMemory is a MachineCannot. Throws ProtocolError or MachineCannot if a stream is
/// broken, and what Judge::on_idle throws. The process must ignore SIGPIPE. If a reference does not end or
/// takes the machine's memory, answers from another thread and ends the process (reference_guard.hpp).
void serve(Judge& judge, int in, int out);

}  // namespace ridgeline::judge
