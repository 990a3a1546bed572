// Turns one HTTP exchange into an answer or a failure. Decides whether the body is an event stream or one
// document, when the answer is over, and whether a broken connection matters. Does no I/O: the client feeds
// it what the transport reports, in the order head, body, end.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "llm_clients/answer.hpp"
#include "llm_clients/protocol.hpp"
#include "llm_clients/redaction.hpp"
#include "llm_clients/split_secrets.hpp"
#include "llm_clients/sse_parser.hpp"
#include "llm_clients/transport.hpp"

namespace ridgeline::llm {

class AnswerReader {
 public:
  /// `url` is named in failures. `stream` says whether a stream was requested; it decides only if the
  /// response has no Content-Type. The reader redacts every text before it parses or shortens it, because a
  /// search cannot recognize half a key at the end of an excerpt. Both references must outlive the reader.
  AnswerReader(const Protocol& protocol, const Redactor& redact, std::string url, bool stream);
  AnswerReader(const AnswerReader&) = delete;  // parser_ holds a pointer to it
  AnswerReader& operator=(const AnswerReader&) = delete;

  void head(const HttpHead& head);
  /// Returns `enough` when the rest of the body cannot change the answer.
  Flow body(std::string_view bytes);
  /// Returns the answer; `Answer::failure` is set if there is none. Call it once, last. `wall` turns dates in
  /// headers into seconds to wait.
  Answer end(const HttpEnd& end, std::chrono::system_clock::time_point wall);

  /// Whether the first event of an answer has come.
  bool has_begun() const { return begun_; }

  /// Returns the body as received, with keys replaced. No other byte differs. A body that is no answer (an
  /// error page, or of another type) ends with the piece that reaches 64 KiB.
  std::string clean_raw() const;

 private:
  enum class Mode { none, stream, whole, error_status, wrong_type };

  void on_event(const SseEvent& event);
  Answer failed(Failure failure);
  Answer end_mode(const HttpEnd& end, std::chrono::system_clock::time_point wall);
  Answer end_stream(const HttpEnd& end);
  Answer end_whole(const HttpEnd& end);
  Failure failure_of_type() const;

  const Protocol& protocol_;
  const Redactor& redact_;
  std::string url_;
  bool stream_wanted_;
  Mode mode_ = Mode::none;
  HttpHead head_;
  std::string raw_;
  bool begun_ = false;
  Answer answer_;
  TextsByPath texts_;  ///< the texts of all events; collected only if there is a secret to search for
  SseParser parser_;
};

}  // namespace ridgeline::llm
