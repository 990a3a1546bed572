// The port between model clients and the network. beast_transport.hpp implements it.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "llm_clients/http.hpp"

namespace ridgeline::llm {

/// A handler's answer to a piece of body. After `enough`, more pieces still come until the body ends or the
/// request's `drain` time is over, so that the connection can be reused.
enum class Flow { more, enough };

/// Called on the io_context's thread, in this order: head at most once, body any number of times, end once.
struct HttpHandlers {
  std::function<void(const HttpHead&)> head;
  std::function<Flow(std::string_view)> body;  ///< without the chunked encoding; split anywhere
  std::function<void(const HttpEnd&)> end;
};

/// Belongs to the io_context's thread. Destroying a transport closes its connections and calls no handler any
/// more. A handler may send again, and must not destroy the transport.
class Transport {
 public:
  Transport() = default;
  Transport(const Transport&) = delete;  // exchanges in flight hold a pointer to it
  Transport& operator=(const Transport&) = delete;
  virtual ~Transport() = default;

  /// Starts the exchange and returns; calls no handler from inside.
  virtual void send(HttpRequest request, HttpHandlers handlers) = 0;
  /// Closes the connection of the request of that id, whose handlers are called no more. Must not be called
  /// from inside one of them. Does nothing if the exchange has ended.
  virtual void abort(std::uint64_t id) = 0;
};

}  // namespace ridgeline::llm
