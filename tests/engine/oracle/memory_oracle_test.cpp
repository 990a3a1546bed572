// Whose process ends where the machine runs out of memory.
#include <gmock/gmock.h>

#include "tests/engine/oracle/oracle_bed.hpp"

namespace ridgeline::oracle {
namespace {

using testing::HasSubstr;

TEST(OracleMemory, WhereItRunsOutTheKernelEndsTheOracleAndNobodyElse) {
  const TaskText task{"says.py", "raise RuntimeError(open('/proc/self/oom_score_adj').read().strip())\n"};
  EXPECT_THAT(failure_of(shared_oracle().describe(task, patience)), HasSubstr("RuntimeError: 1000"));
}

TEST(OracleMemory, WhatIsMoreThanThereIsNowIsAnErrorAndNoKill) {
  const TaskText task{"takes.py",
                      "import torch\n"
                      "class Model(torch.nn.Module):\n"
                      "    def forward(self, x):\n"
                      "        fields = dict(line.split(':', 1) for line in open('/proc/meminfo'))\n"
                      "        there = 1024 * int(fields['MemAvailable'].split()[0])\n"
                      "        torch.empty(there, dtype=torch.uint8)\n"
                      "        return x + 1\n"
                      "def get_inputs():\n    return [torch.rand(4)]\n"
                      "def get_init_inputs():\n    return []\n"};
  value_of(shared_oracle().load(task, 42, {}, patience));
  value_of(shared_oracle().draw(1, {}, patience));
  Shelf shelf;
  shelf.add(4 * sizeof(float));
  EXPECT_THAT(failure_of(shared_oracle().run({}, shelf.memory(), patience)), HasSubstr("memory: "));
}

}  // namespace
}  // namespace ridgeline::oracle
