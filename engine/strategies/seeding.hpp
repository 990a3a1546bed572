// Makes the requests of first attempts, which show the task and nothing else, and the help texts of settings
// that several strategies share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/core/effects.hpp"

namespace ridgeline::strategies {

inline constexpr const char* temperature_help = "sampling temperature; unset: the model's own";

/// `role` names the template ("geak/generate"); nullopt leaves the model its own temperature.
inline Ask first_ask(std::string role, std::optional<double> temperature) {
  Ask ask;
  ask.role = std::move(role);
  ask.temperature = temperature;
  return ask;
}

/// Makes `n` equal requests. Each is a call of its own: the slots of a batch tell them apart.
inline std::vector<Ask> independent_asks(int n, const std::string& role, std::optional<double> temperature) {
  return std::vector<Ask>(static_cast<std::size_t>(n), first_ask(role, temperature));
}

inline constexpr const char* examples_help =
    "solved examples of other tasks before the task: none, one (KernelBench's one-shot prompt), few";
inline constexpr const char* hardware_help = "describe the machine in a section of its own";

/// Applies the settings `examples` and `hardware` to the request.
template <class Settings>
Ask with_examples_and_hardware(Ask ask, const Settings& settings) {
  ask.examples = settings.examples;
  ask.hardware = settings.hardware;
  return ask;
}

}  // namespace ridgeline::strategies
