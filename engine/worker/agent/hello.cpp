#include "engine/worker/agent/hello.hpp"

#include <fmt/core.h>

#include <algorithm>

#include "engine/core/version.hpp"
#include "engine/worker/languages/flags/cuda_flags.hpp"
#include "engine/worker/languages/registry/registry.hpp"

namespace ridgeline::agent {
namespace {

void tell(std::vector<std::string>& lines, const char* level,
          const std::vector<sandbox::Shortfall>& shortfalls) {
  for (const auto& one : shortfalls)
    lines.push_back(fmt::format("{} wants {}: {}; mend: {}", level, one.what, one.reason, one.fix));
}

}  // namespace

std::string isolation_details(const sandbox::IsolationProbe& probe) {
  switch (sandbox::best_level(probe)) {
    case sandbox::Isolation::strict:
      return fmt::format("user, pid, net, ipc, mount and uts namespaces; Landlock {}; seccomp",
                         probe.landlock_abi);
    case sandbox::Isolation::standard:
      return fmt::format("Landlock {}; seccomp", probe.landlock_abi);
    case sandbox::Isolation::none:
      break;
  }
  return "limits and process groups only";
}

std::vector<std::string> languages_of(const MachineFacts& facts) {
  if (!std::holds_alternative<protocol::Described>(facts.judge)) return {};
  return languages::supported_languages(facts.tools);
}

std::string cuda_architecture(const MachineFacts& facts) {
  if (const auto* judge = std::get_if<protocol::Described>(&facts.judge))
    for (const auto& device : judge->devices)
      if (device.backend == "cuda" && !device.architecture.empty()) return device.architecture;
  return languages::default_cuda_architecture;
}

protocol::Hello make_hello(const MachineFacts& facts) {
  protocol::Hello hello;
  hello.ridgeline = version;
  hello.host = facts.host;
  hello.languages = languages_of(facts);
  hello.isolation.level = to_string(sandbox::best_level(facts.isolation));
  hello.isolation.details = isolation_details(facts.isolation);
  tell(hello.isolation.missing, "standard", facts.isolation.standard);
  tell(hello.isolation.missing, "strict", facts.isolation.strict);
  const auto architecture = cuda_architecture(facts);
  for (const auto* support : languages::registry()) {
    if (auto toolchain = support->toolchain(facts.tools, architecture))
      hello.toolchains.push_back(std::move(*toolchain));
    if (auto shortfall = support->shortfall(facts.tools); !shortfall.empty())
      hello.shortfalls.push_back(std::move(shortfall));
  }
  std::size_t devices = 1;
  if (const auto* judge = std::get_if<protocol::Described>(&facts.judge)) {
    hello.backends = judge->backends;
    hello.devices = judge->devices;
    hello.torch = judge->torch;
    hello.counters = judge->counters;
    hello.ceilings = judge->ceilings;
    hello.shortfalls.insert(hello.shortfalls.end(), judge->shortfalls.begin(), judge->shortfalls.end());
    devices = std::max<std::size_t>(1, judge->devices.size());
  } else {
    hello.counters.why_not = "no judge";
    hello.shortfalls.push_back("nothing can be judged: " + std::get<std::string>(facts.judge));
  }
  // Each builder busy, each device busy, and one of each kind ready to follow.
  hello.window = 2 * facts.cores.builders + 2 * static_cast<int>(devices);
  return hello;
}

}  // namespace ridgeline::agent
