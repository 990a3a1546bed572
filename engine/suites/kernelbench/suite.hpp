// A clone of ScalingIntelligence/KernelBench as a suite (docs/kernelbench.md).
#pragma once

#include "engine/suites/suite.hpp"

namespace ridgeline::suites::kernelbench {

const SuiteKind& kind();

}  // namespace ridgeline::suites::kernelbench
