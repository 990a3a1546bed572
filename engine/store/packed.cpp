#include "engine/store/packed.hpp"

#include "engine/compression/frame.hpp"
#include "engine/core/error.hpp"

namespace ridgeline::store {
namespace {

constexpr int kLevel = 1;
// No exchange is larger: a damaged frame must not fill the memory.
constexpr std::size_t kLargest = std::size_t{1} << 30;

}  // namespace

std::string packed(std::string_view bytes) {
  auto frame = compression::compressed(bytes, kLevel);
  // Bytes that begin like a frame must be inside one, or `unpacked` would take them for it.
  if (frame.size() >= bytes.size() && !compression::is_frame(bytes)) return std::string(bytes);
  return frame;
}

std::string unpacked(std::string bytes) {
  if (!compression::is_frame(bytes)) return bytes;
  try {
    return compression::decompressed(bytes, kLargest);
  } catch (const BadInput&) {
    throw MachineCannot("a raw exchange in the store is damaged: restore the file from a copy");
  }
}

}  // namespace ridgeline::store
