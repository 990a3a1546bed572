#include "engine/evaluation/seen_ids.hpp"

#include <string>

#include "engine/core/hash.hpp"

namespace ridgeline::evaluation {

std::optional<std::size_t> SeenIds::add(std::string_view id, std::size_t line) {
  constexpr std::size_t digits = 16;  // 64 bits of SHA-256: a million ids collide once in some 3e7 batches
  const auto key = std::stoull(sha256(std::string(id)).substr(0, digits), nullptr, 16);
  const auto [found, fresh] = lines_.try_emplace(key, line);
  if (!fresh) return found->second;
  order_.push_back(key);
  if (order_.size() > capacity_) {
    lines_.erase(order_.front());
    order_.pop_front();
  }
  return std::nullopt;
}

}  // namespace ridgeline::evaluation
