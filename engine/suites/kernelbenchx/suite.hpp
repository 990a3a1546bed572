// A clone of BonnieW05/KernelBenchX as a suite (docs/kernelbench-x.md).
#pragma once

#include "engine/suites/suite.hpp"

namespace ridgeline::suites::kernelbenchx {

const SuiteKind& kind();

}  // namespace ridgeline::suites::kernelbenchx
