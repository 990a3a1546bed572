// The hello: what was found out about this machine, as one message. Pure.
#pragma once

#include <string>
#include <variant>

#include "engine/worker/agent/machine.hpp"
#include "engine/worker/languages/language_support.hpp"
#include "engine/worker/protocol/messages.hpp"
#include "engine/worker/sandbox/isolation.hpp"

namespace ridgeline::agent {

struct MachineFacts {
  std::string host;
  CorePlan cores;
  sandbox::IsolationProbe isolation;
  languages::MachineTools tools;
  std::variant<protocol::Described, std::string> judge;  ///< or why there is none
};

protocol::Hello make_hello(const MachineFacts& facts);

/// The architecture of the first CUDA device, as nvcc is told it; the default where there is none.
std::string cuda_architecture(const MachineFacts& facts);

/// The languages that can be built and judged here; none without a judge. `cuda` needs no device: its compile
/// errors are real anywhere.
std::vector<std::string> languages_of(const MachineFacts& facts);

/// "Landlock 7; seccomp; new namespaces", for the best level.
std::string isolation_details(const sandbox::IsolationProbe& probe);

}  // namespace ridgeline::agent
