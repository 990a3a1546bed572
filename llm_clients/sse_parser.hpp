// Parses server-sent events from bytes that come in pieces of any size (WHATWG HTML, section 9.2.6
// "Interpreting an event stream"). Ignores the fields `id` and `retry`.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace ridgeline::llm {

struct SseEvent {
  std::string event;  ///< the event's name; empty if the stream names none
  std::string data;   ///< the data lines joined with '\n', as received

  bool operator==(const SseEvent&) const = default;
};

class SseParser {
 public:
  /// `sink` is called for each event, from inside `feed` and `finish`.
  explicit SseParser(std::function<void(const SseEvent&)> sink) : sink_(std::move(sink)) {}

  void feed(std::string_view bytes);

  /// Call when the body ended properly. Passes on an event that lacks only its blank line. (The standard
  /// drops such an event; several model servers end with one.)
  void finish();

 private:
  void end_line();
  void dispatch();

  std::function<void(const SseEvent&)> sink_;
  std::string line_;
  SseEvent event_;
  bool has_data_ = false;
  bool after_cr_ = false;  ///< the last byte was '\r', so a '\n' belongs to the same line end
  bool first_line_ = true;
};

}  // namespace ridgeline::llm
