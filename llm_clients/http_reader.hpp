// Parses an HTTP/1.1 response from bytes that come in pieces of any size. Does no I/O.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "llm_clients/http.hpp"

namespace ridgeline::llm {

/// A response over a limit ends as HttpEndKind::too_large.
struct HttpReaderLimits {
  std::uint64_t body_bytes = 64ull << 20;
  std::uint32_t head_bytes = 256u << 10;
};

class HttpReader {
 public:
  struct Sink {
    std::function<void(const HttpHead&)> head;
    std::function<void(std::string_view)> body;  ///< without the chunked encoding
  };

  HttpReader(HttpReaderLimits limits, Sink sink);
  ~HttpReader();

  /// Parses the next bytes. Returns not_http or too_large if the exchange cannot go on, else nothing: `done`
  /// says whether the response is complete. Informational responses (1xx) are skipped. Bytes behind the
  /// response are not parsed, and `keep_alive` is then false.
  std::optional<HttpEnd> feed(std::string_view bytes);
  /// Call when the server closed the connection. Returns `complete` if that ends the body, else `cut_short`.
  HttpEnd close();

  bool done() const;        ///< the whole response has come
  bool started() const;     ///< at least one byte has come
  bool keep_alive() const;  ///< the connection can carry another request; valid once done

 private:
  class Parser;
  void restart();

  HttpReaderLimits limits_;
  Sink sink_;
  std::unique_ptr<Parser> parser_;
  std::string pending_;  ///< bytes that the parser has not consumed yet
  bool started_ = false;
};

}  // namespace ridgeline::llm
