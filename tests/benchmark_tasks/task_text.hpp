// A small valid task file, and its edits: what the loader's tests break one thing at a time.
#pragma once

#include <gtest/gtest.h>

#include <string>

namespace ridgeline::benchmark_tasks {

inline std::string valid_task() {
  return R"(name: scale
category: Math
difficulty: 1
description: Multiplies by a number.
formula: y = f * x
sizes: [N]
parameters:
  - {tensor: x, dtype: float32, role: in, shape: [N]}
  - {tensor: y, dtype: float32, role: out, shape: [N]}
  - {scalar: f, type: float64, value: 2}
cases:
  - {name: typical, sizes: {N: 8}, timed: true}
  - {name: unseen, sizes: {N: 5}, hidden: true}
  - {name: report, sizes: {N: 3}, final: true}
reference: |
  def reference(x, f: float):
      return x * f
contract: {kind: elementwise}
operations: N
bytes: 8 * N
)";
}

/// The valid file with one text replaced; the text must occur.
inline std::string with(const std::string& from, const std::string& to) {
  auto text = valid_task();
  const auto at = text.find(from);
  if (at == std::string::npos)
    ADD_FAILURE() << "'" << from << "' is not in the task file";
  else
    text.replace(at, from.size(), to);
  return text;
}

}  // namespace ridgeline::benchmark_tasks
