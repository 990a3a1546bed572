// The capabilities of a worker as data. A worker is one process, the agent, that builds candidates, and one
// judge per device, a trusted process that checks and measures them. The hello (the worker's first message),
// the agent's refusals and the command `doctor` all follow from one Capabilities, so that they cannot
// contradict each other. Does no I/O.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "engine/worker/agent/agent.hpp"
#include "engine/worker/agent/machine.hpp"
#include "engine/worker/languages/language_support.hpp"
#include "engine/worker/protocol/messages.hpp"
#include "engine/worker/sandbox/isolation.hpp"

namespace ridgeline::agent {

/// What was detected on this machine when the worker started.
struct Capabilities {
  std::string host;                   ///< name of the machine
  CorePlan cores;                     ///< how many builds run at once, and on which CPUs
  sandbox::IsolationProbe isolation;  ///< what can confine candidates here, and what is missing for more
  languages::MachineTools tools;      ///< the compilers and interpreters here
  /// What the first judge reports (the machine's devices, the version of torch), or why there is no judge.
  std::variant<protocol::Described, std::string> judge;
};

/// Composes the worker's first message. It is sent even without a judge, to say why nothing can be judged.
protocol::Hello make_hello(const Capabilities& capabilities);

/// Returns what the agent accepts and how it refuses the rest. Reads all but `judge`: it is the agent made
/// with these settings that starts the judge.
AgentSettings agent_settings(const Capabilities& capabilities);

/// Returns the architecture of the first CUDA device as nvcc names it ("sm_90"). If there is no such device,
/// it returns languages::default_cuda_architecture, for which code can be compiled all the same.
std::string cuda_architecture(const Capabilities& capabilities);

/// Returns the languages whose compilers are here; none if there is no judge. "cuda" is among them on a
/// machine with nvcc and without a GPU: nothing can be measured there, but compile errors can be reported.
std::vector<std::string> languages_of(const Capabilities& capabilities);

}  // namespace ridgeline::agent
