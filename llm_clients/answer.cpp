#include "llm_clients/answer.hpp"

#include <algorithm>
#include <array>

namespace ridgeline::llm {

LlmStatus status_of_finish(std::string_view finish_reason) {
  static constexpr auto by_length = std::to_array<std::string_view>(
      {"length", "max_tokens", "MAX_TOKENS", "model_context_window_exceeded", "max_output_tokens"});
  static constexpr auto by_filter = std::to_array<std::string_view>(
      {"content_filter", "refusal", "SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII"});
  if (std::ranges::find(by_length, finish_reason) != by_length.end()) return LlmStatus::truncated;
  if (std::ranges::find(by_filter, finish_reason) != by_filter.end()) return LlmStatus::refused;
  return LlmStatus::answered;
}

}  // namespace ridgeline::llm
