// The capabilities of a worker as data. The hello, the agent's refusals and the command `doctor` all follow
// from one Capabilities, so that they cannot contradict each other. Does no I/O.
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

/// The tools, cores and isolation of this machine, and its judge.
struct Capabilities {
  std::string host;
  CorePlan cores;
  sandbox::IsolationProbe isolation;
  languages::MachineTools tools;
  std::variant<protocol::Described, std::string>
      judge;  ///< the judge's description, or why there is no judge
};

/// Composes the worker's first message.
protocol::Hello make_hello(const Capabilities& capabilities);

/// Returns what the agent accepts and how it refuses the rest. Does not use `judge`, which starts later.
AgentSettings agent_settings(const Capabilities& capabilities);

/// Returns the architecture of the first CUDA device as nvcc names it ("sm_90"), or the default if there is
/// none.
std::string cuda_architecture(const Capabilities& capabilities);

/// Returns the languages that can be built and judged here; none without a judge. `cuda` needs no device,
/// since its compile errors are the same without one.
std::vector<std::string> languages_of(const Capabilities& capabilities);

}  // namespace ridgeline::agent
