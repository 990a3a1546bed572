// Declares the port through which model clients send HTTP requests. beast_transport.hpp implements it on
// sockets; tests implement it without a network.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "llm_clients/http.hpp"

namespace ridgeline::llm {

/// Says whether a handler needs the rest of the body.
enum class Flow {
  more,  ///< it needs the rest
  /// It does not need the rest. The transport still reads to the body's end, since only then the connection
  /// can be reused, and still calls `body` for each piece; what that returns is ignored from now on. If the
  /// end does not come within the request's Timeouts::drain, the transport closes the connection and calls
  /// `end` with HttpEndKind::stopped.
  enough
};

/// Holds what the transport calls during one exchange (a request and its response), on the io_context's
/// thread: `head` at most once, then `body` any number of times, then `end` exactly once. After `abort`, or
/// once the transport is destroyed, it calls none of them any more, `end` neither.
struct HttpHandlers {
  std::function<void(const HttpHead&)> head;
  /// Gets the body's next bytes, without the chunked encoding. Pieces may begin and end anywhere, even inside
  /// a character.
  std::function<Flow(std::string_view)> body;
  std::function<void(const HttpEnd&)> end;  ///< `kind` says whether the whole body came, or what went wrong
};

/// Performs exchanges. All calls come from the io_context's thread. The destructor closes all connections. A
/// handler may send another request, but must not destroy the transport.
class Transport {
 public:
  Transport() = default;
  Transport(const Transport&) = delete;  // exchanges in flight hold a pointer to it
  Transport& operator=(const Transport&) = delete;
  virtual ~Transport() = default;

  /// Starts the exchange and returns; calls no handler from inside. The caller gives each request that it may
  /// abort an `id` of its own (HttpRequest::id).
  virtual void send(HttpRequest request, HttpHandlers handlers) = 0;
  /// Breaks off the exchange whose request has this `id`: closes its connection and calls its handlers no
  /// more. A handler must not abort its own exchange. Does nothing if the exchange has ended.
  virtual void abort(std::uint64_t id) = 0;
};

}  // namespace ridgeline::llm
