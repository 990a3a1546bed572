#pragma once

#include <cstdint>
#include <memory>

#include "engine/verifier/input_stream.hpp"

namespace ridgeline::judge {

/// A set of inputs that never repeats: enough to write it again, and to ask the reference about it.
struct Instance {
  std::shared_ptr<const verifier::InputStream> stream;
  std::uint64_t number = 0;
};

}  // namespace ridgeline::judge
