// Answers as the providers write them, small enough to split everywhere.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "llm_clients/answer_reader.hpp"

namespace ridgeline::llm::test {

/// "Grüße €😀": two, three and four bytes a character.
inline const std::string kText =
    "Gr\xC3\xBC\xC3\x9F"
    "e \xE2\x82\xAC\xF0\x9F\x98\x80";

inline const std::string kChatStream =
    ": OPENROUTER PROCESSING\n\n"
    "data: {\"model\":\"m-1\",\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":\"\"},"
    "\"finish_reason\":null}],\"usage\":null}\n\n"
    "data: {\"choices\":[{\"delta\":{\"reasoning_content\":\"think\"}}]}\n\n"
    "data: {\"choices\":[{\"delta\":{\"content\":\"Gr\xC3\xBC\xC3\x9F"
    "e \"}}]}\n\n"
    "data: {\"choices\":[{\"delta\":{\"content\":\"\xE2\x82\xAC\xF0\x9F\x98\x80\"}}]}\n\n"
    "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n"
    "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":5,"
    "\"prompt_tokens_details\":{\"cached_tokens\":4},"
    "\"completion_tokens_details\":{\"reasoning_tokens\":2}}}\n\n"
    "data: [DONE]\n\n";

inline const std::string kAnthropicStream =
    "event: message_start\n"
    "data: {\"type\":\"message_start\",\"message\":{\"model\":\"claude-x\",\"usage\":{\"input_tokens\":3,"
    "\"cache_read_input_tokens\":5,\"cache_creation_input_tokens\":2,\"output_tokens\":1}}}\n\n"
    "event: ping\ndata: {\"type\":\"ping\"}\n\n"
    "data: {\"type\":\"content_block_start\",\"index\":0,\"content_block\":{\"type\":\"thinking\","
    "\"thinking\":\"\"}}\n\n"
    "data: "
    "{\"type\":\"content_block_delta\",\"delta\":{\"type\":\"thinking_delta\",\"thinking\":\"think\"}}\n\n"
    "data: {\"type\":\"content_block_delta\",\"delta\":{\"type\":\"text_delta\",\"text\":"
    "\"Gr\xC3\xBC\xC3\x9F"
    "e \xE2\x82\xAC\xF0\x9F\x98\x80\"}}\n\n"
    "data: {\"type\":\"message_delta\",\"delta\":{\"stop_reason\":\"end_turn\"},"
    "\"usage\":{\"output_tokens\":7}}\n\n"
    "event: message_stop\ndata: {\"type\":\"message_stop\"}\n\n";

inline const std::string kGeminiStream =
    "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"think\",\"thought\":true}]}}],"
    "\"modelVersion\":\"gemini-x\"}\r\n\r\n"
    "data: {\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"Gr\xC3\xBC\xC3\x9F"
    "e \"},"
    "{\"text\":\"\xE2\x82\xAC\xF0\x9F\x98\x80\"}]},\"finishReason\":\"STOP\"}],"
    "\"usageMetadata\":{\"promptTokenCount\":10,\"cachedContentTokenCount\":4,\"candidatesTokenCount\":3,"
    "\"thoughtsTokenCount\":2}}\r\n\r\n";

inline HttpHead head_of(int status, std::string type) {
  return {status, {{"content-type", std::move(type)}}};
}

inline const HttpEnd kComplete{HttpEndKind::complete, ""};
inline const HttpEnd kCut{HttpEndKind::cut_short, "the connection broke"};

/// One exchange read to its end. The body comes in two pieces, split at `split`.
inline Answer read_answer(Provider provider, const HttpHead& head, std::string_view body, const HttpEnd& end,
                          std::size_t split = 0, const std::string& key = "") {
  const Redactor redact(key);
  AnswerReader reader(protocol_of(provider), redact, "http://here/v1", true);
  reader.head(head);
  for (const auto piece : {body.substr(0, split), body.substr(split)})
    if (reader.body(piece) == Flow::enough) break;
  return reader.end(end, std::chrono::system_clock::time_point{});
}

}  // namespace ridgeline::llm::test
