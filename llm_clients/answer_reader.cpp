#include "llm_clients/answer_reader.hpp"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "llm_clients/json_access.hpp"
#include "llm_clients/provider_error.hpp"
#include "llm_clients/usage_reader.hpp"
#include "llm_clients/utf8.hpp"

namespace ridgeline::llm {
namespace {

constexpr std::size_t kErrorBodyBytes = 64 * 1024;  // kept of an error page; messages quote far less

/// Returns "text/html" for "Text/HTML; charset=utf-8".
std::string media_type(std::string_view header) {
  std::string type(header.substr(0, header.find(';')));
  while (type.ends_with(' ')) type.pop_back();
  std::ranges::transform(type, type.begin(), [](unsigned char c) { return std::tolower(c); });
  return type;
}

Failure no_json(std::string detail) {
  return {.status = LlmStatus::malformed,
          .detail = std::move(detail),
          .blame = Blame::endpoint,
          .why = "broken JSON"};
}

/// The transport sends Accept-Encoding: identity and cannot decompress, so a compressed body is unreadable.
/// Some gateways compress all the same.
bool encoded(const HttpHead& head) {
  const auto encoding = find_header(head.headers, "Content-Encoding");
  return !encoding.empty() && encoding != "identity";
}

}  // namespace

AnswerReader::AnswerReader(const Protocol& protocol, const Redactor& redact, std::string url, bool stream)
    : protocol_(protocol),
      redact_(redact),
      url_(std::move(url)),
      stream_wanted_(stream),
      parser_([this](const SseEvent& event) { on_event(event); }) {}

void AnswerReader::head(const HttpHead& head) {
  head_ = head;
  for (auto& header : head_.headers) header.value = redact_(std::move(header.value));
  const auto type = media_type(find_header(head.headers, "Content-Type"));
  // The response decides what it is, not the request: several servers ignore "stream": true and send one
  // document, and routers answer an error as JSON with status 200.
  if (head.status < 200 || head.status >= 300)
    mode_ = Mode::error_status;
  else if (encoded(head))
    mode_ = Mode::wrong_type;
  else if (type == "text/event-stream")
    mode_ = Mode::stream;
  else if (type == "application/json" || type.ends_with("+json"))
    mode_ = Mode::whole;
  // Small self-written servers send no Content-Type.
  else if (type.empty())
    mode_ = stream_wanted_ ? Mode::stream : Mode::whole;
  else
    mode_ = Mode::wrong_type;
}

Flow AnswerReader::body(std::string_view bytes) {
  const bool only_quoted = mode_ == Mode::error_status || mode_ == Mode::wrong_type;
  // The transport goes on after `enough`, and a page may have no end.
  if (only_quoted && raw_.size() >= kErrorBodyBytes) return Flow::enough;
  // Kept also after the end of the text, because the raw response is stored and redacted as a whole.
  raw_ += bytes;
  switch (mode_) {
    case Mode::stream:
      parser_.feed(bytes);
      // The answer is complete, but the connection is reusable only once the last chunk has come. `enough`
      // gives the server Timeouts::drain for that.
      return answer_.ended || answer_.failure ? Flow::enough : Flow::more;
    case Mode::error_status:
    case Mode::wrong_type:
      return raw_.size() >= kErrorBodyBytes ? Flow::enough : Flow::more;
    case Mode::whole:
    case Mode::none:
      break;
  }
  return Flow::more;
}

void AnswerReader::on_event(const SseEvent& event) {
  const bool over = answer_.ended || answer_.failure;
  if (over && !redact_.has_secrets()) return;
  // OpenAI ends a stream with this word, which is no JSON.
  if (event.data == "[DONE]") {
    answer_.ended = answer_.ended || !over;
    return;
  }
  const auto text = redact_(event.data);
  const auto data = parse_foreign_json(text);
  // Events after the end are stored in the raw response too, so they are searched for secrets as well.
  if (data && redact_.has_secrets()) texts_.add(*data);
  if (over) return;
  if (data) {
    protocol_.on_event(*data, answer_);
    // An error as the first event must not count as a beginning: the circuit breaker would let other
    // requests go because of it.
    begun_ = !answer_.failure;
    // After the finish reason only counts can be missing, and an answer is worth more than they are.
  } else if (!answer_.finished()) {
    answer_.failure = no_json("an event of the stream from " + url_ + " is no JSON: " + excerpt(text));
  }
}

std::string AnswerReader::clean_raw() const {
  auto clean = redact_(raw_);
  if (!redact_.has_secrets()) return clean;
  if (mode_ != Mode::stream) return without_split_secrets(std::move(clean), redact_);
  return texts_.contain_secret(redact_) ? stream_without_split_secrets(clean, redact_) : clean;
}

Answer AnswerReader::failed(Failure failure) {
  answer_.failure = std::move(failure);
  return std::move(answer_);
}

Answer AnswerReader::end(const HttpEnd& end, std::chrono::system_clock::time_point wall) {
  auto answer = end_mode(end, wall);
  discard_impossible_usage(answer);
  return answer;
}

Answer AnswerReader::end_mode(const HttpEnd& end, std::chrono::system_clock::time_point wall) {
  switch (mode_) {
    case Mode::none:
      return failed(failure_of_end(end));
    case Mode::error_status:
      return failed(failure_of_status(head_, clean_raw(), url_, wall));
    case Mode::wrong_type:
      return failed(failure_of_type());
    case Mode::stream:
      return end_stream(end);
    case Mode::whole:
      return end_whole(end);
  }
  return std::move(answer_);
}

/// An HTML page comes from a proxy or a sign-in, so no model ran and nothing is billed. The usual cause is a
/// base_url without "/v1".
Failure AnswerReader::failure_of_type() const {
  const auto what = encoded(head_) ? find_header(head_.headers, "Content-Encoding")
                                   : find_header(head_.headers, "Content-Type");
  const bool page = media_type(what) == "text/html";
  return {.status = LlmStatus::malformed,
          .detail = url_ + " answers with " + excerpt(what, 80) +
                    " instead of JSON or an event stream; is base_url the API's address (for OpenAI-style "
                    "servers it usually ends in /v1)? It begins: " +
                    excerpt(redact_(raw_), 120),
          .blame = Blame::endpoint,
          .why = page ? "HTML" : "no JSON",
          .may_be_billed = !page};
}

Answer AnswerReader::end_stream(const HttpEnd& end) {
  if (end.kind == HttpEndKind::complete && !answer_.failure) parser_.finish();
  // A complete text stays an answer, whatever happens to the connection after it: it was paid for.
  if (answer_.finished() || answer_.failure) return std::move(answer_);
  if (end.kind == HttpEndKind::complete)
    return failed(failure_of_end({HttpEndKind::cut_short, "the stream from " + url_ + " has no last event"}));
  return failed(failure_of_end(end));
}

Answer AnswerReader::end_whole(const HttpEnd& end) {
  if (end.kind != HttpEndKind::complete) return failed(failure_of_end(end));
  const auto text = clean_raw();
  const auto json = parse_foreign_json(text);
  if (!json) return failed(no_json("the answer from " + url_ + " is no JSON: " + excerpt(text, 120)));
  protocol_.on_whole(*json, answer_);
  return std::move(answer_);
}

}  // namespace ridgeline::llm
