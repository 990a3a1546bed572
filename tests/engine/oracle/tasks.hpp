// Small tasks of our own in KernelBench's format, as text.
#pragma once

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "engine/oracle/oracle_process.hpp"

namespace ridgeline::oracle {

/// "level1/1_statistics" of the clone that the suite's tests have too.
inline TaskText task_named(const std::string& name) {
  std::ifstream file(std::string(RIDGELINE_SOURCE_DIR "/tests/engine/suites/kernelbench/clone/KernelBench/") +
                     name + ".py");
  std::ostringstream text;
  text << file.rdbuf();
  return {name, text.str()};
}

/// A task whose get_inputs has this body, and whose forward hands its first input on.
inline TaskText task_with_inputs(const std::string& body) {
  return {"inline/task",
          "import torch\n\nkept = torch.rand(4)\n\n\nclass Model(torch.nn.Module):\n"
          "    def forward(self, x, *rest):\n        return x + 0\n\n\n"
          "def get_inputs():\n    " +
              body + "\n\n\ndef get_init_inputs():\n    return []\n"};
}

/// A task whose forward returns this of a tensor `x` of (4, 6, 8).
inline TaskText task_that_returns(const std::string& expression) {
  return {
      "inline/returns",
      "import torch\nimport torch.nn as nn\nimport torch.nn.functional as F\n\n\nclass Model(nn.Module):\n"
      "    def __init__(self):\n        super().__init__()\n        self.linear = nn.Linear(8, 5)\n"
      "        self.batch = nn.BatchNorm1d(6)\n        self.convolution = nn.Conv1d(6, 3, 3)\n"
      "        self.transposed = nn.ConvTranspose1d(6, 4, 3, groups=2)\n\n"
      "    def forward(self, x):\n        return " +
          expression +
          "\n\n\ndef get_inputs():\n    return [torch.rand(4, 6, 8)]\n\n\n"
          "def get_init_inputs():\n    return []\n"};
}

/// A task with this buffer, inputs and body of forward.
inline TaskText task_with_buffer(const std::string& buffer, const std::string& inputs,
                                 const std::string& forward) {
  return {"inline/buffer",
          "import torch\n\n\nclass Model(torch.nn.Module):\n"
          "    def __init__(self):\n        super().__init__()\n        self.calls = 0\n"
          "        self.register_buffer('kept', " +
              buffer + ")\n\n    def forward(self, x):\n        " + forward +
              "\n\n\ndef get_inputs():\n    return [" + inputs +
              "]\n\n\ndef get_init_inputs():\n    return []\n"};
}

/// One thread: the tasks are tiny, and tests share their cores.
inline OracleSettings test_settings(const std::string& python) {
  OracleSettings settings;
  settings.python = python;
  settings.threads = 1;
  for (const char* name : {"PATH", "HOME"})
    if (const char* value = std::getenv(name))
      settings.environment.push_back(std::string(name) + "=" + value);
  return settings;
}

}  // namespace ridgeline::oracle
