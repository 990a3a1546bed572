// What a worker can do, as data: what the hello says, what the agent refuses and what `doctor` reads all
// follow from one Capabilities. Pure.
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

struct Capabilities {
  std::string host;
  CorePlan cores;
  sandbox::IsolationProbe isolation;
  languages::MachineTools tools;
  std::variant<protocol::Described, std::string> judge;  ///< or why there is none
};

protocol::Hello make_hello(const Capabilities& capabilities);

/// What the agent accepts and how it refuses the rest. Does not look at the judge, which starts later.
AgentSettings agent_settings(const Capabilities& capabilities);

/// The architecture of the first CUDA device, as nvcc is told it; the default where there is none.
std::string cuda_architecture(const Capabilities& capabilities);

/// The languages that can be built and judged here; none without a judge. `cuda` needs no device: its compile
/// errors are real anywhere.
std::vector<std::string> languages_of(const Capabilities& capabilities);

}  // namespace ridgeline::agent
