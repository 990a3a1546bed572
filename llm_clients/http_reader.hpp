// An HTTP/1.1 response, read from bytes that come in pieces of any size. No I/O.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "llm_clients/http.hpp"

namespace ridgeline::llm {

struct HttpReaderLimits {
  std::uint64_t body_bytes = 64ull << 20;
  std::uint32_t head_bytes = 256u << 10;
};

class HttpReader {
 public:
  struct Sink {
    std::function<void(const HttpHead&)> head;
    std::function<void(std::string_view)> body;  ///< decoded from chunks
  };

  HttpReader(HttpReaderLimits limits, Sink sink);
  ~HttpReader();

  /// Something is returned where the exchange cannot go on: not_http or too_large.
  std::optional<HttpEnd> feed(std::string_view bytes);
  /// The other side closed: complete where that is how the body ends, else cut_short.
  HttpEnd close();

  bool done() const;        ///< the whole response is here
  bool started() const;     ///< at least a byte is here
  bool keep_alive() const;  ///< the connection can carry another request; asked when done

 private:
  class Parser;
  void restart();

  HttpReaderLimits limits_;
  Sink sink_;
  std::unique_ptr<Parser> parser_;
  std::string pending_;  ///< what the parser wants to see again with more behind it
  bool started_ = false;
};

}  // namespace ridgeline::llm
