#include "llm_clients/sse_parser.hpp"

#include <utility>

namespace ridgeline::llm {

void SseParser::feed(std::string_view bytes) {
  while (!bytes.empty()) {
    // "\r\n" is one line end, also if it is split between two pieces.
    if (after_cr_ && bytes.front() == '\n') bytes.remove_prefix(1);
    after_cr_ = false;
    const auto end = bytes.find_first_of("\r\n");
    line_.append(bytes.substr(0, end));
    if (end == std::string_view::npos) return;
    after_cr_ = bytes[end] == '\r';
    bytes.remove_prefix(end + 1);
    end_line();
  }
}

void SseParser::finish() {
  if (!line_.empty()) end_line();
  dispatch();
}

void SseParser::end_line() {
  std::string_view line = line_;
  // A byte order mark is allowed at the beginning of a stream.
  if (first_line_ && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);
  first_line_ = false;
  if (line.empty()) {
    dispatch();
    // A line that begins with a colon is a comment; OpenRouter sends some to keep connections alive.
  } else if (line.front() != ':') {
    const auto colon = line.find(':');
    const auto field = line.substr(0, colon);
    auto value = colon == std::string_view::npos ? std::string_view() : line.substr(colon + 1);
    // Only one space belongs to the syntax.
    if (value.starts_with(' ')) value.remove_prefix(1);
    if (field == "data") {
      if (has_data_) event_.data += '\n';
      event_.data += value;
      has_data_ = true;
    } else if (field == "event") {
      event_.event = value;
    }
  }
  line_.clear();
}

void SseParser::dispatch() {
  const SseEvent event = std::exchange(event_, {});
  // An event without data is dropped, as the standard says.
  if (std::exchange(has_data_, false)) sink_(event);
}

}  // namespace ridgeline::llm
