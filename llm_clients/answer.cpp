#include "llm_clients/answer.hpp"

#include <algorithm>
#include <array>

namespace ridgeline::llm {

LlmStatus status_of_finish(std::string_view finish_reason) {
  // Words of OpenAI, Anthropic, Gemini and the local servers that imitate them.
  // model_context_window_exceeded is Anthropic's: the context was full before max_tokens was reached.
  static constexpr auto by_length = std::to_array<std::string_view>(
      {"length", "max_tokens", "MAX_TOKENS", "model_context_window_exceeded", "max_output_tokens"});
  // RECITATION: Gemini stopped because the text repeats its training data. SPII: sensitive personal data.
  static constexpr auto by_filter = std::to_array<std::string_view>(
      {"content_filter", "refusal", "SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII"});
  // The provider itself calls the answer broken, or wants the request repeated (pause_turn, Anthropic; abort,
  // vLLM; insufficient_system_resource, DeepSeek).
  static constexpr auto broken = std::to_array<std::string_view>(
      {"error", "OTHER", "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "FINISH_REASON_UNSPECIFIED",
       "pause_turn", "abort", "insufficient_system_resource"});
  if (std::ranges::find(by_length, finish_reason) != by_length.end()) return LlmStatus::truncated;
  if (std::ranges::find(by_filter, finish_reason) != by_filter.end()) return LlmStatus::refused;
  if (std::ranges::find(broken, finish_reason) != broken.end()) return LlmStatus::empty;
  return LlmStatus::answered;
}

}  // namespace ridgeline::llm
