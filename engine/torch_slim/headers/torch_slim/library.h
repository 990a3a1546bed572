// Everything but the bindings: what torch/types.h stands for.
#pragma once

#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdint>

#include "torch_slim/accessor.h"
#include "torch_slim/dispatch.h"
#include "torch_slim/factories.h"

namespace c10 {
#ifdef _GLIBCXX_OPTIONAL
using std::nullopt;
using std::nullopt_t;
using std::optional;
#endif
}  // namespace c10

namespace torch {
using namespace at;
}
