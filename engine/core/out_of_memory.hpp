// The error for a lack of memory, on a card or on the host. Callers catch it to free memory and try again.
#pragma once

#include "engine/core/error.hpp"

namespace ridgeline {

class OutOfMemory : public MachineCannot {
 public:
  using MachineCannot::MachineCannot;
};

}  // namespace ridgeline
