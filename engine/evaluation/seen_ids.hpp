// Remembers the ids of the request lines that the door has read, so that it can refuse a line with an id that
// another line has: two result lines with one id could not be told apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string_view>
#include <unordered_map>

namespace ridgeline::evaluation {

/// Remembers the last `capacity` ids and forgets older ones. Keeps 64 bits of a hash of each id, so two ids
/// with the same bits count as one. The default of a million ids takes some 60 MB. One thread.
class SeenIds {
 public:
  explicit SeenIds(std::size_t capacity = std::size_t{1} << 20) : capacity_(capacity) {}

  /// Returns the number of the line where the id stood before. If it is new, remembers it with `line` and
  /// returns nullopt.
  std::optional<std::size_t> add(std::string_view id, std::size_t line);

 private:
  std::size_t capacity_;
  std::unordered_map<std::uint64_t, std::size_t> lines_;
  std::deque<std::uint64_t> order_;
};

}  // namespace ridgeline::evaluation
