// First attempts: asks that know the task and nothing else.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/core/effects.hpp"

namespace ridgeline::strategies {

inline constexpr const char* temperature_help = "sampling temperature; unset: the model's own";

inline Ask first_ask(std::string role, std::optional<double> temperature) {
  Ask ask;
  ask.role = std::move(role);
  ask.temperature = temperature;
  return ask;
}

/// `n` times the same request: the members of a batch are told apart by their slots, never answered by one
/// call.
inline std::vector<Ask> independent_asks(int n, const std::string& role, std::optional<double> temperature) {
  return std::vector<Ask>(static_cast<std::size_t>(n), first_ask(role, temperature));
}

inline constexpr const char* examples_help =
    "solved examples of other tasks before the task: none, one (KernelBench's one-shot prompt), few";
inline constexpr const char* hardware_help = "describe the machine in a section of its own";

/// The ask as the settings `examples` and `hardware` want it.
template <class Settings>
Ask shown_with(Ask ask, const Settings& settings) {
  ask.examples = settings.examples;
  ask.hardware = settings.hardware;
  return ask;
}

}  // namespace ridgeline::strategies
