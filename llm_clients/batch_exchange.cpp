#include "llm_clients/batch_exchange.hpp"

#include <memory>

#include "llm_clients/json_access.hpp"
#include "llm_clients/provider_error.hpp"
#include "llm_clients/utf8.hpp"

namespace ridgeline::llm {
namespace {

using WallTimeOf = std::function<std::chrono::system_clock::time_point()>;

constexpr std::size_t kErrorPageBytes = 64 * 1024;  // kept of an error page; messages quote far less

/// Collects the body of an answer: as one document, or by lines if `on_line` is set.
class BatchAnswerReader {
 public:
  BatchAnswerReader(std::string url, const Redactor& redact, WallTimeOf wall, OnLine on_line)
      : url_(std::move(url)), redact_(redact), wall_(std::move(wall)), on_line_(std::move(on_line)) {}

  void head(const HttpHead& head) {
    head_ = head;
    // Headers are quoted in messages, and a server may echo the key in one.
    for (auto& header : head_->headers) header.value = redact_(std::move(header.value));
  }

  Flow body(std::string_view bytes) {
    // The transport goes on after `enough`, and an error page may have no end.
    if (!good() && text_.size() >= kErrorPageBytes) return Flow::enough;
    text_ += bytes;
    if (!good()) return text_.size() >= kErrorPageBytes ? Flow::enough : Flow::more;
    if (on_line_) take_lines();
    return Flow::more;
  }

  std::optional<BatchExchangeFailure> end(const HttpEnd& end) {
    if (!head_) {
      auto failure = failure_of_end(end);
      const bool may_have_taken_effect = failure.may_be_billed;
      return BatchExchangeFailure{std::move(failure), may_have_taken_effect};
    }
    if (!good()) {
      // A 4xx, or a server that is too busy (503, 529), has not carried out the request. Another 5xx may come
      // from a gateway behind which it was carried out.
      const bool undone = head_->status < 500 || head_->status == 503 || head_->status == 529;
      return BatchExchangeFailure{failure_of_status(*head_, redact_(text_), url_, wall_()), !undone};
    }
    // The head said 2xx, so the server has done what it was asked, even if its answer is lost.
    if (end.kind != HttpEndKind::complete) return BatchExchangeFailure{failure_of_end(end), true};
    if (on_line_) {
      // The last line may lack its line end.
      text_ += '\n';
      take_lines();
      return std::nullopt;
    }
    const auto text = redact_(std::move(text_));
    if (auto answer = parse_foreign_json(text)) {
      json_ = std::move(*answer);
      return std::nullopt;
    }
    return BatchExchangeFailure{{.status = LlmStatus::malformed,
                                 .detail = "the answer from " + url_ + " is no JSON: " + excerpt(text, 120)},
                                true};
  }

  const nlohmann::json& json() const { return json_; }

 private:
  bool good() const { return head_ && head_->status >= 200 && head_->status < 300; }

  void take_lines() {
    std::size_t from = 0;
    for (auto to = text_.find('\n'); to != std::string::npos; to = text_.find('\n', from)) {
      // Redacted before parsing: a parsed string could hold half a key that no search finds.
      if (const auto line = parse_foreign_json(redact_(text_.substr(from, to - from)))) on_line_(*line);
      from = to + 1;
    }
    text_.erase(0, from);
  }

  std::string url_;
  const Redactor& redact_;
  WallTimeOf wall_;
  OnLine on_line_;
  std::optional<HttpHead> head_;
  std::string text_;
  nlohmann::json json_;
};

void send_batch_request(Transport& transport, HttpRequest request,
                        const std::shared_ptr<BatchAnswerReader>& reader, OnEnd done) {
  HttpHandlers handlers{
      .head = [reader](const HttpHead& head) { reader->head(head); },
      .body = [reader](std::string_view bytes) { return reader->body(bytes); },
      .end = [reader, done = std::move(done)](const HttpEnd& end) { done(reader->end(end)); }};
  transport.send(std::move(request), std::move(handlers));
}

}  // namespace

void request_json(Transport& transport, HttpRequest request, const Redactor& redact, WallTimeOf wall,
                  OnJson done) {
  const auto reader = std::make_shared<BatchAnswerReader>(request.url, redact, std::move(wall), OnLine());
  send_batch_request(transport, std::move(request), reader,
                     [reader, done = std::move(done)](std::optional<BatchExchangeFailure> trouble) {
                       done(std::move(trouble), reader->json());
                     });
}

void request_lines(Transport& transport, HttpRequest request, const Redactor& redact, WallTimeOf wall,
                   OnLine line, OnEnd done) {
  const auto reader =
      std::make_shared<BatchAnswerReader>(request.url, redact, std::move(wall), std::move(line));
  send_batch_request(transport, std::move(request), reader, std::move(done));
}

}  // namespace ridgeline::llm
