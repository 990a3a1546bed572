// Ceilings and counters of an invented card, for tests of what is concluded from them.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/counters.hpp"
#include "engine/core/roofline.hpp"

namespace ridgeline::samples {

inline Ceilings card() {
  Ceilings c;
  c.device = "a card";
  c.threads = 132;  // multiprocessors
  c.bandwidth = 4e12;
  c.cache_bytes = 50e6;
  c.peaks = {{"fp32", 50e12}, {"fp16", 800e12}, {"bf16", 800e12}, {"tf32", 400e12}, {"fp64", 60e12}};
  return c;
}

/// As CUPTI would have counted them.
inline std::vector<Counter> counted(std::initializer_list<std::pair<std::string_view, double>> values) {
  std::vector<Counter> counters;
  for (const auto& [name, value] : values) counters.push_back({std::string(name), value, Source::cupti});
  return counters;
}

}  // namespace ridgeline::samples
