#include "tests/llm_clients/fake_server.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <stdexcept>

namespace ridgeline::llm::test {
namespace {

/// A client that has left must not end the program: TLS writes raise the signal in this thread alone.
void ignore_broken_pipes() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

std::size_t content_length(const std::string& head) {
  std::size_t length = 0;
  const auto at = head.find("Content-Length: ");
  if (at != std::string::npos) std::sscanf(head.c_str() + at, "Content-Length: %zu", &length);
  return length;
}

}  // namespace

/// One connection, plain or TLS.
class FakeServer::Peer {
 public:
  explicit Peer(int descriptor) : descriptor_(descriptor) {}

  bool start_tls(SSL_CTX* context) {
    ssl_.reset(SSL_new(context));
    SSL_set_fd(ssl_.get(), descriptor_);
    return SSL_accept(ssl_.get()) == 1;
  }

  bool write(std::string_view bytes) {
    while (!bytes.empty()) {
      const auto sent = ssl_ ? SSL_write(ssl_.get(), bytes.data(), static_cast<int>(bytes.size()))
                             : ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  /// Appends what comes next; false at the end.
  bool read(std::string& to) {
    std::array<char, 16 * 1024> buffer;
    const auto size = ssl_ ? SSL_read(ssl_.get(), buffer.data(), static_cast<int>(buffer.size()))
                           : ::recv(descriptor_, buffer.data(), buffer.size(), 0);
    if (size <= 0) return false;
    to.append(buffer.data(), static_cast<std::size_t>(size));
    return true;
  }

  bool read_request(Received& request) {
    std::size_t end = 0;
    while ((end = pending_.find("\r\n\r\n")) == std::string::npos)
      if (!read(pending_)) return false;
    request.head = pending_.substr(0, end + 4);
    pending_.erase(0, end + 4);
    const auto length = content_length(request.head);
    while (pending_.size() < length)
      if (!read(pending_)) return false;
    request.body = pending_.substr(0, length);
    pending_.erase(0, length);
    return true;
  }

  void until_it_leaves() {
    std::string ignored;
    while (read(ignored)) ignored.clear();
  }

  void reset_on_close() {
    const linger now{.l_onoff = 1, .l_linger = 0};
    ::setsockopt(descriptor_, SOL_SOCKET, SO_LINGER, &now, sizeof now);
  }

 private:
  int descriptor_;
  std::unique_ptr<SSL, FreeSsl> ssl_;
  std::string pending_;
};

FakeServer::FakeServer(Speaks speaks) : speaks_(speaks), tls_(make_server_tls()) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  if (::bind(listener_, generic, size) != 0 || ::listen(listener_, 64) != 0 ||
      ::getsockname(listener_, generic, &size) != 0)
    throw std::runtime_error("the fake server cannot listen");
  port_ = ntohs(address.sin_port);
  acceptor_ = std::thread([this] { accept_all(); });
}

FakeServer::~FakeServer() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
    for (const int descriptor : open_) ::shutdown(descriptor, SHUT_RDWR);
  }
  ::shutdown(listener_, SHUT_RDWR);
  acceptor_.join();
  for (auto& thread : threads_) thread.join();
  ::close(listener_);
}

void FakeServer::accept_all() {
  for (int number = 1;; ++number) {
    const int descriptor = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (descriptor < 0) return;
    const int on = 1;
    ::setsockopt(descriptor, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    const std::lock_guard lock(mutex_);
    if (stopping_) {
      ::close(descriptor);
      return;
    }
    open_.push_back(descriptor);
    threads_.emplace_back([this, descriptor, number] {
      ignore_broken_pipes();
      serve(descriptor, number);
      const std::lock_guard closing(mutex_);
      std::erase(open_, descriptor);
      ::close(descriptor);
    });
  }
}

void FakeServer::serve(int descriptor, int number) {
  Peer peer(descriptor);
  if (speaks_ == Speaks::nothing) return peer.until_it_leaves();
  if (speaks_ == Speaks::tls && !peer.start_tls(tls_.context.get())) return;
  for (Received request{.connection = number}; peer.read_request(request);) {
    const auto reply = take(request);
    if (reply.empty()) return;
    for (const auto& step : reply) {
      if (const auto* bytes = std::get_if<Bytes>(&step)) {
        if (!peer.write(bytes->bytes)) return;
      } else if (std::holds_alternative<StartTls>(step)) {
        if (!peer.start_tls(tls_.context.get())) return;
      } else if (std::holds_alternative<Stall>(step)) {
        return peer.until_it_leaves();
      } else {
        if (std::holds_alternative<Reset>(step)) peer.reset_on_close();
        return;
      }
    }
  }
}

Reply FakeServer::take(Received request) {
  const std::lock_guard lock(mutex_);
  received_.push_back(std::move(request));
  if (replies_.empty()) return {};
  Reply reply = std::move(replies_.front());
  replies_.pop_front();
  return reply;
}

void FakeServer::then(Reply reply) {
  const std::lock_guard lock(mutex_);
  replies_.push_back(std::move(reply));
}

std::vector<Received> FakeServer::received() const {
  const std::lock_guard lock(mutex_);
  return received_;
}

std::string response(int status, std::string_view body, std::string_view content_type,
                     std::string_view more_headers) {
  return "HTTP/1.1 " + std::to_string(status) + " Said\r\nContent-Type: " + std::string(content_type) +
         "\r\nContent-Length: " + std::to_string(body.size()) + "\r\n" + std::string(more_headers) + "\r\n" +
         std::string(body);
}

std::string chunked_head(std::string_view content_type) {
  return "HTTP/1.1 200 OK\r\nContent-Type: " + std::string(content_type) +
         "\r\nTransfer-Encoding: chunked\r\n\r\n";
}

std::string chunk(std::string_view bytes) {
  std::array<char, 32> size{};
  std::snprintf(size.data(), size.size(), "%zx\r\n", bytes.size());
  return size.data() + std::string(bytes) + "\r\n";
}

}  // namespace ridgeline::llm::test
