// Server-sent events, cut out of bytes that come in pieces of any size.
// WHATWG HTML, section 9.2.6 "Interpreting an event stream"; `id` and `retry` mean nothing here.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace ridgeline::llm {

struct SseEvent {
  std::string event;  ///< empty where the stream names none
  std::string data;   ///< lines joined with '\n'; bytes as they came

  bool operator==(const SseEvent&) const = default;
};

class SseParser {
 public:
  explicit SseParser(std::function<void(const SseEvent&)> sink) : sink_(std::move(sink)) {}

  void feed(std::string_view bytes);

  /// The body ended properly: an event that lacks only its blank line is given out. (The standard drops it;
  /// several model servers end with it.)
  void finish();

 private:
  void end_line();
  void dispatch();

  std::function<void(const SseEvent&)> sink_;
  std::string line_;
  SseEvent event_;
  bool has_data_ = false;
  bool after_cr_ = false;  ///< a '\n' now is the second half of a line end
  bool first_line_ = true;
};

}  // namespace ridgeline::llm
