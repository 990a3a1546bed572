#include "engine/verifier/poison.hpp"

#include <cstring>

namespace ridgeline::verifier {

void poison(DType dtype, void* buffer, std::size_t bytes) {
  std::memset(buffer, poison_byte(dtype), bytes);
}

bool is_poison(DType dtype, const void* element) {
  const auto* byte = static_cast<const std::uint8_t*>(element);
  for (std::size_t i = 0; i < size_of(dtype); ++i)
    if (byte[i] != poison_byte(dtype)) return false;
  return true;
}

}  // namespace ridgeline::verifier
