// Which ids a batch has had, so that no two answers carry the same one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>
#include <unordered_map>

namespace ridgeline::evaluation {

/// Remembers the last `most` ids, by a hash of 64 bits each: some 60 MB where there are as many.
class SeenIds {
 public:
  explicit SeenIds(std::size_t most = std::size_t{1} << 20) : most_(most) {}

  /// The line where the id stood before, or nullopt: it is new, and remembered.
  std::optional<std::size_t> add(std::string_view id, std::size_t line);

 private:
  std::size_t most_;
  std::unordered_map<std::uint64_t, std::size_t> lines_;
  std::deque<std::uint64_t> order_;
};

}  // namespace ridgeline::evaluation
