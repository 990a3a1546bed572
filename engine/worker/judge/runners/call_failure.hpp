// From how a runner ended to what a verdict says about it.
#pragma once

#include <filesystem>
#include <string>

#include "engine/core/verdict.hpp"
#include "engine/worker/judge/runners/runner_process.hpp"

namespace ridgeline::judge {

struct CallEnd {
  StageResult result;  ///< failed, with reason and detail
  CallFailure failure;
  bool cheated = false;  ///< an act that no honest kernel commits
};

/// No I/O. `limit`: the wall limit of the call, seconds. `mapping`, the bases that the runner claimed, and
/// `arena`, which was mapped (null: none), serve to name the buffer near a fault.
CallEnd explain_end(const RunnerExit& end, double limit, const runner::Reply& mapping, const Arena* arena,
                    const Task& task);

/// The refusal of a trampoline, a loader or an interpreter as a stage result. `interpreter`: the runner is a
/// Python, whose texts are whole sentences.
StageResult explain_refusal(const runner::Reply& reply, bool interpreter);

/// "kernel_softmax at kernel.cpp:14", by addr2line in a sandbox of its own (the library is the candidate's
/// work); "offset 0x1234" where that says nothing.
std::string place_of(const std::filesystem::path& library, std::uint64_t offset, sandbox::Isolation level);

}  // namespace ridgeline::judge
