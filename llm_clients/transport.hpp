// The port between model clients and the network. The real one is beast_transport.hpp.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "llm_clients/http.hpp"

namespace ridgeline::llm {

/// What a handler answers to a piece of body. After `enough` pieces still come, until the body ends or the
/// request's `drain` time is over, so that the connection can be used again.
enum class Flow { more, enough };

/// Called on the io_context's thread, in this order: head at most once, body any number of times, end once.
struct HttpHandlers {
  std::function<void(const HttpHead&)> head;
  std::function<Flow(std::string_view)> body;  ///< decoded from chunks; split anywhere
  std::function<void(const HttpEnd&)> end;
};

/// Destroying a transport closes what is open and calls no handler any more. A handler may send again, and
/// must not destroy the transport.
class Transport {
 public:
  Transport() = default;
  Transport(const Transport&) = delete;  // exchanges in flight know it by address
  Transport& operator=(const Transport&) = delete;
  virtual ~Transport() = default;

  /// Returns at once; no handler is called from inside.
  virtual void send(HttpRequest request, HttpHandlers handlers) = 0;
  /// Closes the connection of the request of that id; its handlers are called no more. Not from inside one of
  /// them. Nothing happens if it has ended.
  virtual void abort(std::uint64_t id) = 0;
};

}  // namespace ridgeline::llm
