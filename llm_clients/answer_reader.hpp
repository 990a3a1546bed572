// From one HTTP exchange to an answer or a failure: which of the two modes it is, when it is over, and what a
// break means before and after its end. Pure: fed with what a transport reports.
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
  /// `url` is named in failures; `stream` is what was asked for, and decides only where the server does not
  /// say what it sends. `redact` is applied to what came before anything is read or cut out of it: half a key
  /// at the end of an excerpt would be found by nobody. Both references must outlive the reader.
  AnswerReader(const Protocol& protocol, const Redactor& redact, std::string url, bool stream);
  AnswerReader(const AnswerReader&) = delete;  // its parser knows it by address
  AnswerReader& operator=(const AnswerReader&) = delete;

  void head(const HttpHead& head);
  Flow body(std::string_view bytes);
  /// The answer, whole or with a failure. Call once, last.
  Answer end(const HttpEnd& end, std::chrono::system_clock::time_point wall);

  /// The first event of an answer has come.
  bool begun() const { return begun_; }

  /// The body as it came, without the key. Its bytes differ only where that stood.
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
  TextsByPlace texts_;  ///< of all events, where there is a key to look for
  SseParser parser_;
};

}  // namespace ridgeline::llm
