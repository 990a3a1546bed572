// KernelAgent's generation (meta-pytorch/KernelAgent): several seeds repair their own kernels side by side,
// and the first correct kernel ends the rest.
//
// KernelAgent first has a model write a test and judges by that. Here the judge's verdict takes its place,
// and no test is requested. As in KernelAgent the first success ends the trajectory; it need not be the
// fastest.
#pragma once

#include <optional>

#include "engine/core/effects.hpp"
#include "engine/core/routine.hpp"
#include "engine/strategies/feedback_items.hpp"
#include "engine/strategies/setting_table.hpp"

namespace ridgeline::strategies {

/// kernel_agent.cpp says what each means, in the words that `--help` and errors print.
struct KernelAgentSettings {
  int seeds = 4;
  int rounds = 10;
  int history = 8;
  int feedback_tokens = digest_tokens;
  std::optional<double> temperature = 0.8;
  Examples examples = Examples::none;
  bool hardware = false;
};

SettingTable<KernelAgentSettings> kernel_agent_table();

Routine<> kernel_agent(Effects& effects, Brief brief, KernelAgentSettings settings);

}  // namespace ridgeline::strategies
