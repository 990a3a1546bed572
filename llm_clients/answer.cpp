#include "llm_clients/answer.hpp"

#include <algorithm>
#include <array>

namespace ridgeline::llm {

LlmStatus status_of_finish(std::string_view finish_reason) {
  static constexpr auto by_length = std::to_array<std::string_view>(
      {"length", "max_tokens", "MAX_TOKENS", "model_context_window_exceeded", "max_output_tokens"});
  static constexpr auto by_filter = std::to_array<std::string_view>(
      {"content_filter", "refusal", "SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII"});
  // The provider itself calls the answer broken, or wants to be asked again.
  static constexpr auto broken = std::to_array<std::string_view>(
      {"error", "OTHER", "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "FINISH_REASON_UNSPECIFIED",
       "pause_turn", "abort", "insufficient_system_resource"});
  if (std::ranges::find(by_length, finish_reason) != by_length.end()) return LlmStatus::truncated;
  if (std::ranges::find(by_filter, finish_reason) != by_filter.end()) return LlmStatus::refused;
  if (std::ranges::find(broken, finish_reason) != broken.end()) return LlmStatus::empty;
  return LlmStatus::answered;
}

}  // namespace ridgeline::llm
