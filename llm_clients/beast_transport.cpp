#include "llm_clients/beast_transport.hpp"

#include <algorithm>
#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <list>

#include "engine/core/error.hpp"
#include "llm_clients/connection_pool.hpp"
#include "llm_clients/timers.hpp"

// g++ 12 inlines the operator new of Asio's coroutine frames but not their operator delete, and warns that
// the two do not match.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"

namespace ridgeline::llm {
namespace {

namespace asio = boost::asio;
using asio::awaitable;
using ErrorCode = boost::system::error_code;
using Clock = std::chrono::steady_clock;

asio::ssl::context tls_context(const std::string& trusted_pem) {
  try {
    asio::ssl::context tls(asio::ssl::context::tls_client);
    tls.set_default_verify_paths();
    tls.set_verify_mode(asio::ssl::verify_peer);
    SSL_CTX_set_min_proto_version(tls.native_handle(), TLS1_2_VERSION);
    // Without ALPN some servers choose HTTP/2, which Beast does not speak.
    static constexpr unsigned char http11[] = "\x08http/1.1";
    SSL_CTX_set_alpn_protos(tls.native_handle(), http11, sizeof http11 - 1);
    if (!trusted_pem.empty()) {
      ErrorCode error;
      tls.add_certificate_authority(asio::buffer(trusted_pem), error);
      if (error) throw BadInput("the trusted certificates are no PEM (" + error.message() + ")");
    }
    return tls;
  } catch (const boost::system::system_error& error) {
    throw MachineCannot(std::string("OpenSSL cannot be set up: ") + error.what());
  }
}

/// Holds what all exchanges share. It may outlive the transport, as long as a coroutine still runs.
struct Shared {
  explicit Shared(TransportOptions transport_options)
      : options(std::move(transport_options)),
        tls(tls_context(options.trusted_pem)),
        pool(options.idle_per_origin, clock_seconds(options.longest_idle)) {}

  TransportOptions options;
  asio::ssl::context tls;
  ConnectionPool pool;
};

/// One request and its response. The coroutine does the I/O. A timer (`watch_`) ends it from outside: it
/// calls the handler at once and closes the socket, at which the coroutine wakes up and sees `finished_`.
class Exchange : public std::enable_shared_from_this<Exchange> {
 public:
  Exchange(asio::io_context& io, std::shared_ptr<Shared> shared, HttpRequest request, HttpHandlers handlers)
      : io_(io),
        shared_(std::move(shared)),
        request_(std::move(request)),
        url_(parse_url(request_.url, "the request's address")),
        handlers_(std::move(handlers)),
        watch_(io),
        deadline_(Clock::now() + clock_seconds(request_.timeouts.total)),
        deadline_limit_{request_.timeouts.total, HttpEndKind::total_timeout, "no end of the answer from "} {}

  void start() {
    asio::co_spawn(io_, run(shared_from_this()), [](const std::exception_ptr& defect) {
      if (defect) std::rethrow_exception(defect);  // out of io_context::run, where it is seen
    });
  }

  /// Ends the exchange without calling a handler.
  void abandon() {
    finished_ = true;
    handlers_ = {};
    watch_.cancel();
    if (connection_) connection_->close();
  }

  bool finished() const { return finished_; }

 private:
  struct Limit {
    double seconds;
    HttpEndKind kind;
    const char* what;
  };

  static awaitable<void> run(std::shared_ptr<Exchange> self) {
    const std::string wire = wire_text(self->request_);
    if (!self->request_.fresh_connection) self->connection_ = self->shared_->pool.take(self->url_.origin());
    // A connection that the server closed while it was idle is replaced once, without an attempt being
    // counted.
    const bool dead = co_await self->attempt(wire);
    if (!dead) co_return;
    self->connection_.reset();
    co_await self->attempt(wire);
  }

  /// Uses the pooled connection or opens a new one. Returns true if a pooled connection turned out to be
  /// dead.
  awaitable<bool> attempt(const std::string& wire) {
    const bool pooled = connection_ != nullptr;
    if (!pooled) {
      connection_ = std::make_unique<Connection>(io_.get_executor());
      limit({request_.timeouts.connect, HttpEndKind::connect_timeout, "no connection to "});
      auto failure = co_await connection_->open(url_, shared_->options.proxy, shared_->tls);
      if (failure) finish(std::move(*failure));
      if (finished_) co_return false;
    }
    sent_whole_ = false;
    limit({request_.timeouts.first_byte, HttpEndKind::first_byte_timeout, "no answer from "});
    HttpReader::Sink sink{.head = [this](const HttpHead& head) { on_head(head); },
                          .body = [this](std::string_view bytes) { on_body(bytes); }};
    HttpReader reader(shared_->options.limits, std::move(sink));
    const ErrorCode write_error = co_await connection_->write(wire);
    sent_whole_ = !write_error;
    // A server may answer and close before it has read all (a 413, say). Its answer says more than the write
    // error, so reading goes on.
    ErrorCode error;
    if (!finished_) error = co_await read(reader);
    if (finished_) co_return false;
    if (reader.done()) {
      if (reader.keep_alive() && !write_error) shared_->pool.put(url_.origin(), std::move(connection_));
      finish({HttpEndKind::complete, ""});
      co_return false;
    }
    // Once the server has read the whole request, the model may have run and the call may be billed. Such a
    // request is not sent again here, although the server most likely only closed an idle connection.
    if (pooled && write_error && !reader.started()) co_return true;
    // A body without a length may end with an orderly close, not with a reset.
    HttpEnd end{HttpEndKind::cut_short,
                "the connection to " + url_.authority() + " broke (" + error.message() + ")", ""};
    if (error == asio::error::eof) end = reader.close();
    end.sent_whole = !write_error;
    finish(std::move(end));
    co_return false;
  }

  /// Reads until the response is done, the connection ends (returns why) or the exchange is finished.
  awaitable<ErrorCode> read(HttpReader& reader) {
    std::array<char, 16 * 1024> buffer;
    while (!reader.done()) {
      ErrorCode error;
      const auto size = co_await connection_->read(buffer.data(), buffer.size(), error);
      if (finished_ || (size == 0 && error)) co_return error;
      // After `enough` the drain limit stays: a stream that never ends must not prolong it.
      if (!enough_) limit({request_.timeouts.between_bytes, HttpEndKind::stalled, "nothing more came from "});
      auto broken = reader.feed(std::string_view(buffer.data(), size));
      if (broken) finish(std::move(*broken));
      if (finished_) break;
    }
    co_return ErrorCode();
  }

  void on_head(const HttpHead& head) {
    if (finished_) return;
    handlers_.head(head);
    if (head.status >= 200 && head.status < 300) return;
    // The status is enough to decide. The body only explains it, and must not take the time of an answer.
    // A server that trickles an error page byte by byte would otherwise hold the request for `total`.
    deadline_ = std::min(deadline_, Clock::now() + clock_seconds(request_.timeouts.error_body));
    deadline_limit_ = {request_.timeouts.error_body, HttpEndKind::stopped,
                       "the rest was not waited for from "};
    limit({request_.timeouts.between_bytes, HttpEndKind::stalled, "nothing more came from "});
  }

  void on_body(std::string_view bytes) {
    if (finished_ || handlers_.body(bytes) == Flow::more || enough_) return;
    enough_ = true;
    limit({request_.timeouts.drain, HttpEndKind::stopped, "the rest was not waited for from "});
  }

  /// From now on the exchange ends with `next` unless another limit is set in time.
  void limit(const Limit& next) {
    const auto time = Clock::now() + clock_seconds(next.seconds);
    // The earlier of the two limits ends the exchange, and its name goes into the message.
    const Limit due = time > deadline_ && !enough_ ? deadline_limit_ : next;
    watch_.expires_at(enough_ ? time : std::min(time, deadline_));
    watch_.async_wait([weak = weak_from_this(), due](const ErrorCode& error) {
      const auto self = weak.lock();
      // If the timer fired just before it was set again, this old handler comes without an error. The new
      // expiry shows it.
      if (!self || error || self->finished_ || self->watch_.expiry() > Clock::now()) return;
      self->finish(self->due_end(due));
    });
  }

  HttpEnd due_end(const Limit& due) const {
    std::string seconds = std::to_string(due.seconds);
    seconds.erase(seconds.find_last_not_of('0') + 1);
    if (seconds.ends_with('.')) seconds.pop_back();
    return {due.kind, due.what + url_.authority() + " within " + seconds + " s", "", sent_whole_};
  }

  void finish(HttpEnd end) {
    if (finished_) return;
    finished_ = true;
    watch_.cancel();
    if (connection_) connection_->close();
    // Moved out first, because a handler may destroy what it has captured, this exchange included.
    const auto handlers = std::move(handlers_);
    handlers.end(end);
  }

  asio::io_context& io_;
  std::shared_ptr<Shared> shared_;
  HttpRequest request_;
  Url url_;
  HttpHandlers handlers_;
  asio::steady_timer watch_;
  Clock::time_point deadline_;  ///< no other limit extends beyond this time
  Limit deadline_limit_;        ///< how the exchange ends at `deadline_`
  std::unique_ptr<Connection> connection_;
  bool enough_ = false;
  bool sent_whole_ = false;
  bool finished_ = false;
};

class BeastTransport : public Transport {
 public:
  BeastTransport(asio::io_context& io, TransportOptions options)
      : io_(io), shared_(std::make_shared<Shared>(std::move(options))) {}

  ~BeastTransport() override {
    for (const auto& [id, weak] : exchanges_)
      if (const auto exchange = weak.lock()) exchange->abandon();
  }

  void send(HttpRequest request, HttpHandlers handlers) override {
    // Exchanges end by themselves; the list is only needed to abort those that have not.
    std::erase_if(exchanges_, [](const auto& entry) { return entry.second.expired(); });
    const auto id = request.id;
    const auto exchange = std::make_shared<Exchange>(io_, shared_, std::move(request), std::move(handlers));
    exchanges_.emplace_back(id, exchange);
    exchange->start();
  }

  void abort(std::uint64_t id) override {
    for (const auto& [of, weak] : exchanges_)
      if (const auto exchange = of == id ? weak.lock() : nullptr) exchange->abandon();
  }

 private:
  asio::io_context& io_;
  std::shared_ptr<Shared> shared_;
  std::list<std::pair<std::uint64_t, std::weak_ptr<Exchange>>> exchanges_;  ///< by the id of their request
};

}  // namespace

std::unique_ptr<Transport> make_transport(asio::io_context& io, TransportOptions options) {
  return std::make_unique<BeastTransport>(io, std::move(options));
}

}  // namespace ridgeline::llm
