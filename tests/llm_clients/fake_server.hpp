// A model server under a script, byte for byte: it reads a whole request, then does the steps of the next
// reply. On loopback, plain or TLS, in threads of its own; no step waits for a clock.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <variant>
#include <vector>

#include "tests/llm_clients/certificate.hpp"

namespace ridgeline::llm::test {

struct Bytes {
  std::string bytes;  ///< one write of its own
};
struct Stall {};     ///< says nothing until the client leaves
struct Close {};     ///< an orderly end of the TCP connection, without a word of TLS
struct Reset {};     ///< RST
struct StartTls {};  ///< after a CONNECT: from here on it is the origin itself
using Step = std::variant<Bytes, Stall, Close, Reset, StartTls>;
using Reply = std::vector<Step>;

struct Received {
  int connection = 0;  ///< counted from 1
  std::string head;
  std::string body;
};

enum class Speaks { plain, tls, nothing /* accepts and stays silent */ };

class FakeServer {
 public:
  explicit FakeServer(Speaks speaks = Speaks::plain);
  ~FakeServer();
  FakeServer(const FakeServer&) = delete;  // its threads know it by address
  FakeServer& operator=(const FakeServer&) = delete;

  /// Replies go to requests in the order of their arrival; a request without a reply closes its connection.
  void then(Reply reply);
  std::vector<Received> received() const;

  std::uint16_t port() const { return port_; }
  std::string authority() const { return "127.0.0.1:" + std::to_string(port_); }
  const std::string& trusted_pem() const { return tls_.pem; }

 private:
  class Peer;
  void accept_all();
  void serve(int descriptor, int number);
  Reply take(Received request);

  Speaks speaks_;
  ServerTls tls_;
  int listener_ = -1;
  std::uint16_t port_ = 0;
  mutable std::mutex mutex_;
  std::deque<Reply> replies_;
  std::vector<Received> received_;
  std::vector<int> open_;
  std::vector<std::thread> threads_;
  bool stopping_ = false;
  std::thread acceptor_;
};

/// A response with a Content-Length.
std::string response(int status, std::string_view body, std::string_view content_type = "application/json",
                     std::string_view more_headers = "");
/// The head of a response whose body comes in chunks, one chunk, and the last.
std::string chunked_head(std::string_view content_type = "text/event-stream");
std::string chunk(std::string_view bytes);
inline constexpr std::string_view kLastChunk = "0\r\n\r\n";

}  // namespace ridgeline::llm::test
