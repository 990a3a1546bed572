#include "engine/worker/agent/capabilities.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "engine/core/version.hpp"
#include "engine/worker/languages/flags/cuda_flags.hpp"
#include "engine/worker/languages/registry/registry.hpp"

namespace ridgeline::agent {
namespace {

void list_shortfalls(std::vector<std::string>& lines, const char* level,
                     const std::vector<sandbox::Shortfall>& shortfalls) {
  for (const auto& shortfall : shortfalls)
    lines.push_back(
        fmt::format("{} wants {}: {}; fix: {}", level, shortfall.what, shortfall.reason, shortfall.fix));
}

}  // namespace

std::vector<std::string> languages_of(const Capabilities& capabilities) {
  // A worker that cannot judge offers nothing, even if it can compile.
  if (!std::holds_alternative<protocol::Described>(capabilities.judge)) return {};
  return languages::supported_languages(capabilities.tools);
}

std::string cuda_architecture(const Capabilities& capabilities) {
  if (const auto* judge = std::get_if<protocol::Described>(&capabilities.judge))
    for (const auto& device : judge->devices)
      if (device.backend == "cuda" && !device.architecture.empty()) return device.architecture;
  return languages::default_cuda_architecture;
}

AgentSettings agent_settings(const Capabilities& capabilities) {
  AgentSettings settings;
  settings.cores = capabilities.cores;
  settings.isolation_offered = to_string(sandbox::best_level(capabilities.isolation));
  settings.isolation_fixes = sandbox::describe(capabilities.isolation);
  for (const auto* support : languages::registry())
    if (auto missing = support->missing(capabilities.tools); !missing.empty())
      settings.compiler_missing[std::string(to_string(support->language()))] = std::move(missing);
  // Not languages_of(): the judge starts after the agent is made.
  settings.languages = languages::supported_languages(capabilities.tools);
  return settings;
}

protocol::Hello make_hello(const Capabilities& capabilities) {
  protocol::Hello hello;
  hello.ridgeline = version;
  hello.host = capabilities.host;
  hello.languages = languages_of(capabilities);
  const auto level = sandbox::best_level(capabilities.isolation);
  hello.isolation.level = to_string(level);
  hello.isolation.details = sandbox::isolation_details(level, capabilities.isolation);
  list_shortfalls(hello.isolation.missing, "standard", capabilities.isolation.standard);
  list_shortfalls(hello.isolation.missing, "strict", capabilities.isolation.strict);
  const auto architecture = cuda_architecture(capabilities);
  for (const auto* support : languages::registry()) {
    if (auto toolchain = support->toolchain(capabilities.tools, architecture))
      hello.toolchains.push_back(std::move(*toolchain));
    if (auto shortfall = support->shortfall(capabilities.tools); !shortfall.empty())
      hello.shortfalls.push_back(std::move(shortfall));
  }
  std::size_t devices = 1;
  if (const auto* judge = std::get_if<protocol::Described>(&capabilities.judge)) {
    hello.backends = judge->backends;
    hello.devices = judge->devices;
    hello.torch = judge->torch;
    hello.counters = judge->counters;
    hello.ceilings = judge->ceilings;
    hello.shortfalls.insert(hello.shortfalls.end(), judge->shortfalls.begin(), judge->shortfalls.end());
    devices = std::max<std::size_t>(1, judge->devices.size());
  } else {
    // The hello is sent all the same, so that the engine can say why this worker is refused.
    hello.counters.why_not = "no judge";
    hello.shortfalls.push_back("nothing can be judged: " + std::get<std::string>(capabilities.judge));
  }
  for (const auto& cores : capabilities.cores.devices) hello.plan.push_back(describe(cores));
  hello.plan.push_back(fmt::format("builds: {} at once, on {}", capabilities.cores.builders,
                                   capabilities.cores.build_cpus.empty()
                                       ? "all cores"
                                       : "cores " + cpu_list(capabilities.cores.build_cpus)));
  // Keeps each builder and each device busy, with one more request for each ready to follow.
  hello.window = 2 * capabilities.cores.builders + 2 * static_cast<int>(devices);
  return hello;
}

}  // namespace ridgeline::agent
