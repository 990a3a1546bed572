// Content addresses. A hash is the SHA-256 of some text, as 64 lower-case hex digits.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace ridgeline {

using Hash = std::string;

Hash sha256(std::string_view text);

/// The hash of several parts, each prefixed with its length so that no two lists collide by concatenation.
Hash sha256_of(std::initializer_list<std::string_view> parts);

/// The first 12 digits: enough for people to tell things apart, never used as a key.
inline std::string_view short_hash(std::string_view hash) {
  return hash.substr(0, 12);
}

}  // namespace ridgeline
