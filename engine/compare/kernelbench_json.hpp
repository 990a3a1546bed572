#pragma once

#include <nlohmann/json_fwd.hpp>

#include "engine/compare/kernelbench.hpp"

namespace ridgeline::compare {

/// KernelBench's figures as a part of a comparison's document.
nlohmann::json to_json(const KernelBenchScore& score);

/// Without a kernel the figures are null.
nlohmann::json to_json(const Speed& speed);

}  // namespace ridgeline::compare
