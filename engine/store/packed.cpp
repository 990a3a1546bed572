#include "engine/store/packed.hpp"

#include <zstd.h>

#include <memory>

#include "engine/core/error.hpp"

namespace ridgeline::store {
namespace {

constexpr int kLevel = 1;
constexpr std::string_view kFrameMagic("\x28\xB5\x2F\xFD", 4);  // RFC 8878, 3.1.1

/// Kept for each thread: making one costs as much as compressing a short exchange.
ZSTD_CCtx* compressor() {
  thread_local const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(),
                                                                                  &ZSTD_freeCCtx);
  return context.get();
}

}  // namespace

std::string packed(std::string_view bytes) {
  std::string frame(ZSTD_compressBound(bytes.size()), '\0');
  const auto size =
      ZSTD_compressCCtx(compressor(), frame.data(), frame.size(), bytes.data(), bytes.size(), kLevel);
  // Bytes that begin like a frame must be inside one, or `unpacked` would take them for it.
  if ((ZSTD_isError(size) || size >= bytes.size()) && !bytes.starts_with(kFrameMagic))
    return std::string(bytes);
  if (ZSTD_isError(size)) throw MachineCannot("an exchange could not be compressed: out of memory");
  frame.resize(size);
  return frame;
}

std::string unpacked(std::string bytes) {
  if (!bytes.starts_with(kFrameMagic)) return bytes;
  const auto size = ZSTD_getFrameContentSize(bytes.data(), bytes.size());
  constexpr unsigned long long kLargest = 1ull
                                          << 30;  // no exchange is larger: a damaged size is not allocated
  if (size > kLargest)
    throw MachineCannot("a raw exchange in the store is damaged: restore the file from a copy");
  std::string plain(size, '\0');
  const auto got = ZSTD_decompress(plain.data(), plain.size(), bytes.data(), bytes.size());
  if (ZSTD_isError(got) || got != size)
    throw MachineCannot("a raw exchange in the store is damaged: restore the file from a copy");
  return plain;
}

}  // namespace ridgeline::store
