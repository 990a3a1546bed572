// This machine cannot, for want of memory: of a card, or of the machine beside one.
#pragma once

#include "engine/core/error.hpp"

namespace ridgeline {

class OutOfMemory : public MachineCannot {
 public:
  using MachineCannot::MachineCannot;
};

}  // namespace ridgeline
