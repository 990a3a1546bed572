#include "llm_clients/http_reader.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>

namespace ridgeline::llm {

namespace http = boost::beast::http;
using boost::system::error_code;
using View = boost::beast::string_view;

/// Beast's parser, which passes what it reads to the sink. `eager` makes it parse the body together with the
/// head, not in a second call.
class HttpReader::Parser : public http::basic_parser<false> {
 public:
  Parser(const HttpReaderLimits& limits, const Sink& sink) : sink_(sink) {
    eager(true);
    header_limit(limits.head_bytes);
    body_limit(limits.body_bytes);
  }

  bool informational() const { return head_.status >= 100 && head_.status < 200; }

 private:
  static std::string text(View view) { return {view.data(), view.size()}; }

  void on_request_impl(http::verb, View, View, int, error_code&) override {}
  void on_response_impl(int status, View, int, error_code&) override { head_.status = status; }
  void on_field_impl(http::field, View name, View value, error_code&) override {
    head_.headers.push_back({text(name), text(value)});
  }
  void on_header_impl(error_code&) override {
    if (!informational()) sink_.head(head_);
  }
  void on_body_init_impl(const boost::optional<std::uint64_t>&, error_code&) override {}
  std::size_t on_body_impl(View bytes, error_code&) override { return give(bytes); }
  void on_chunk_header_impl(std::uint64_t, View, error_code&) override {}
  std::size_t on_chunk_body_impl(std::uint64_t, View bytes, error_code&) override { return give(bytes); }
  void on_finish_impl(error_code&) override {}

  /// Passes a piece of body on. Returns its size, which tells Beast that all of it was consumed.
  std::size_t give(View bytes) {
    if (!bytes.empty()) sink_.body({bytes.data(), bytes.size()});
    return bytes.size();
  }

  const Sink& sink_;
  HttpHead head_;
};

HttpReader::HttpReader(HttpReaderLimits limits, Sink sink) : limits_(limits), sink_(std::move(sink)) {
  restart();
}

HttpReader::~HttpReader() = default;

void HttpReader::restart() {
  parser_ = std::make_unique<Parser>(limits_, sink_);
}

std::optional<HttpEnd> HttpReader::feed(std::string_view bytes) {
  started_ = started_ || !bytes.empty();
  pending_ += bytes;
  // Beast consumes whole elements only (a header line, a chunk head), so a rest stays for the next bytes.
  while (!pending_.empty() && !parser_->is_done()) {
    error_code error;
    const auto used = parser_->put(boost::asio::buffer(pending_), error);
    pending_.erase(0, used);
    if (error == http::error::need_more) return std::nullopt;
    if (error == http::error::body_limit)
      return HttpEnd{HttpEndKind::too_large,
                     "the answer is larger than " + std::to_string(limits_.body_bytes) + " bytes"};
    if (error == http::error::header_limit)
      return HttpEnd{HttpEndKind::too_large, "the head of the answer is larger than " +
                                                 std::to_string(limits_.head_bytes) + " bytes"};
    if (error)
      return HttpEnd{HttpEndKind::not_http, "what came is no HTTP response (" + error.message() + ")"};
    // Informational responses (100, 103) come before the real one, each with a head of its own.
    if (parser_->is_done() && parser_->informational()) restart();
  }
  return std::nullopt;
}

HttpEnd HttpReader::close() {
  error_code error;
  // Unparsed bytes mean that the response broke off inside an element, whatever the parser says.
  if (parser_->got_some() && pending_.empty()) parser_->put_eof(error);
  if (!error && parser_->is_done()) return {HttpEndKind::complete, ""};
  return {HttpEndKind::cut_short, started_ ? "the connection closed in the middle of the response"
                                           : "the connection closed before any response"};
}

bool HttpReader::done() const {
  return parser_->is_done();
}

bool HttpReader::started() const {
  return started_;
}

bool HttpReader::keep_alive() const {
  // Bytes after the response mean that the server is out of step with us.
  return pending_.empty() && parser_->keep_alive();
}

}  // namespace ridgeline::llm
