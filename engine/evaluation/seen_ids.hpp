// Remembers the ids of a batch, so that no two answers carry the same one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>
#include <unordered_map>

namespace ridgeline::evaluation {

/// Remembers the last `capacity` ids by 64 bits of hash each, in some 60 MB for the default of a million.
class SeenIds {
 public:
  explicit SeenIds(std::size_t capacity = std::size_t{1} << 20) : capacity_(capacity) {}

  /// Returns the line where the id stood before; or remembers it, and returns nullopt.
  std::optional<std::size_t> add(std::string_view id, std::size_t line);

 private:
  std::size_t capacity_;
  std::unordered_map<std::uint64_t, std::size_t> lines_;
  std::deque<std::uint64_t> order_;
};

}  // namespace ridgeline::evaluation
