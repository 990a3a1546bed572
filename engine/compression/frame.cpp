#include "engine/compression/frame.hpp"

#include <zstd.h>

#include <fstream>
#include <iterator>
#include <memory>

#include "engine/core/error.hpp"

namespace ridgeline::compression {
namespace {

constexpr std::size_t kLargestFile = std::size_t{4} << 30;  // decompressed
constexpr std::string_view kMagic("\x28\xB5\x2F\xFD", 4);   // RFC 8878, 3.1.1

// One context a thread: making one costs as much as compressing a short text.

ZSTD_CCtx* compressor() {
  thread_local const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(),
                                                                                  &ZSTD_freeCCtx);
  return context.get();
}

ZSTD_DCtx* decompressor() {
  thread_local const std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context(ZSTD_createDCtx(),
                                                                                  &ZSTD_freeDCtx);
  return context.get();
}

}  // namespace

bool is_frame(std::string_view bytes) {
  return bytes.starts_with(kMagic);
}

std::string compressed(std::string_view bytes, int level) {
  std::string frame(ZSTD_compressBound(bytes.size()), '\0');
  const auto size =
      ZSTD_compressCCtx(compressor(), frame.data(), frame.size(), bytes.data(), bytes.size(), level);
  if (ZSTD_isError(size)) throw MachineCannot("bytes could not be compressed: out of memory");
  frame.resize(size);
  return frame;
}

std::string decompressed(std::string_view frames, std::size_t largest) {
  auto* context = decompressor();
  // An earlier call may have thrown in the middle of a frame.
  ZSTD_DCtx_reset(context, ZSTD_reset_session_only);
  std::string plain;
  std::string block(ZSTD_DStreamOutSize(), '\0');
  ZSTD_inBuffer input{frames.data(), frames.size(), 0};
  // 0 at the end of a frame, otherwise a hint of how many bytes are missing.
  std::size_t missing = frames.empty() ? 1 : 0;
  bool block_was_full = false;
  while (input.pos < input.size || block_was_full) {
    ZSTD_outBuffer output{block.data(), block.size(), 0};
    missing = ZSTD_decompressStream(context, &output, &input);
    if (ZSTD_isError(missing)) throw BadInput("the zstd frame is damaged");
    if (output.pos > largest - plain.size())
      throw BadInput("the zstd frame holds more than " + std::to_string(largest) + " bytes");
    plain.append(block, 0, output.pos);
    block_was_full = missing != 0 && output.pos == output.size;
  }
  if (missing != 0) throw BadInput("the zstd frame is incomplete");
  return plain;
}

std::string decompressed_file(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream.is_open()) throw BadInput(file.string() + " cannot be read; look at its permissions");
  const std::string frames{std::istreambuf_iterator<char>(stream), {}};
  try {
    return decompressed(frames, kLargestFile);
  } catch (const BadInput& error) {
    throw BadInput(file.string() + ": " + error.what() + "; copy it again, or take it out");
  }
}

}  // namespace ridgeline::compression
