#include "engine/strategies/kernel_agent.hpp"

#include <map>
#include <span>
#include <utility>

#include "engine/strategies/attempt_outcome.hpp"
#include "engine/strategies/chain.hpp"
#include "engine/strategies/seeding.hpp"
#include "engine/strategies/stopper.hpp"

namespace ridgeline::strategies {
namespace {

/// One worker of KernelAgent: a chain with rounds of its own.
struct Seed {
  Chain chain;
  Stopper stopper;
};

Ask next_ask(const Chain& chain, const KernelAgentSettings& settings) {
  const bool repairs = chain.latest() != nullptr;
  auto ask = with_examples_and_hardware(
      first_ask(repairs ? "kernel_agent/refine" : "kernel_agent/generate", settings.temperature), settings);
  if (repairs) {
    ask.change = chain.latest();
    ask.feedback = {source_of(chain.latest()), errors_of(chain.latest(), settings.feedback_tokens)};
    if (!chain.earlier().empty())
      ask.feedback.push_back(history_of(chain.earlier(), settings.feedback_tokens));
  }
  if (chain.answer_without_kernel()) ask.feedback.push_back(problem_with(*chain.answer_without_kernel()));
  return ask;
}

}  // namespace

SettingTable<KernelAgentSettings> kernel_agent_table() {
  using S = KernelAgentSettings;
  return SettingTable<S>()
      .integer("seeds", &S::seeds, 1, 100, "chains side by side; the first correct kernel ends the others")
      .integer("rounds", &S::rounds, 1, 10000, "calls in each chain, the first attempt counted")
      .integer("history", &S::history, 0, 100, "earlier attempts of the chain to list, a line each")
      .integer("feedback_tokens", &S::feedback_tokens, 50, 100000, "budget of errors and history, each")
      .real("temperature", &S::temperature, 0, 2, temperature_help)
      .choice("examples", &S::examples, examples_help)
      .flag("hardware", &S::hardware, hardware_help);
}

Routine<> kernel_agent(Effects& effects, Brief, KernelAgentSettings settings) {
  EffectGroup group(effects);
  std::map<Effects::Address, Seed> under_way;  // by the request that each waits for
  const auto go_on = [&](Seed seed) {
    const auto request = group.begin_attempt(seed.stopper.round(), next_ask(seed.chain, settings));
    under_way.emplace(request, std::move(seed));
  };
  for (int i = 0; i < settings.seeds; ++i) go_on({Chain(settings.history), Stopper(settings.rounds)});

  while (!group.empty()) {
    const auto end = co_await group.first_end();
    // Taken out of the map: the seed's next request has another address.
    auto seed = std::move(under_way.extract(end.address).mapped());
    const auto outcome = outcome_of(end.attempt);
    if (outcome == AttemptOutcome::correct) {
      group.cancel_rest("the kernel of another seed is correct");
      co_return;
    }
    // This seed ends. Requests of other seeds are under way and paid for: one of them may still succeed.
    if (outcome == AttemptOutcome::out_of_budget) continue;
    seed.chain.learn(end.attempt);
    seed.stopper.round_ended(std::span(&end.attempt, 1));
    if (!seed.stopper.done()) go_on(std::move(seed));
  }
}

}  // namespace ridgeline::strategies
