// How long invented devices take to answer the judge.
#pragma once

namespace ridgeline::judge {

inline constexpr double kIdleAnswer = 20e-6, kBusyAnswer = 2e-3;  // seconds

}  // namespace ridgeline::judge
