// Sizes of memory as people write them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace ridgeline {

/// Reads a whole number of bytes with a unit behind it: "24GiB", "512MiB", "24GB", "1000000B". Empty for
/// anything else: no unit, a fraction, zero, or more than 2^63 - 1 bytes.
std::optional<std::uint64_t> byte_size(std::string_view text);

}  // namespace ridgeline
