#include "engine/evaluation/process_link.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/write.hpp>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <deque>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "engine/core/error.hpp"
#include "engine/core/file_descriptor.hpp"
#include "engine/evaluation/spawned_worker.hpp"
#include "engine/worker/protocol/frame.hpp"

namespace ridgeline::evaluation {
namespace {

using boost::asio::posix::stream_descriptor;
using boost::system::error_code;

// A worker whose input ends kills its children within two seconds (wind_down in worker_main.cpp).
constexpr auto kGrace = std::chrono::seconds(3);
constexpr std::size_t kLastWordsBytes = 2000;  // bytes of stderr that a message quotes

/// The worker's process with its three pipes. It outlives its link while asio still has handlers of it;
/// `events_` is empty from then on.
class Process : public std::enable_shared_from_this<Process> {
 public:
  /// `end` is readable once the child has ended.
  Process(boost::asio::io_context& io, SpawnedWorker child, FileDescriptor end, LinkEvents events)
      : child_(std::move(child.process)),
        input_(io, child.input.release()),
        output_(io, child.output.release()),
        errors_(io, child.errors.release()),
        end_(io, end.release()),
        deadline_(io),
        events_(std::move(events)) {}

  void start() {
    read_output();
    read_errors();
    end_.async_wait(stream_descriptor::wait_read, [self = shared_from_this()](error_code error) {
      if (error) return;
      self->exited_ = true;
      self->report_end();
      if (!self->output_done_) self->wait_for_output();
    });
  }

  void send(std::string frame) {
    // After the worker's end: the owner learns of it by an event that is still on its way.
    if (!input_.is_open()) return;
    queue_.push_back(std::move(frame));
    if (queue_.size() == 1) write_next();
  }

  void close_input() {
    error_code ignored;
    input_.close(ignored);
  }

  void kill(std::string why) {
    // The first cause counts; what follows is its consequence.
    if (cause_.empty()) cause_ = std::move(why);
    close_input();
    child_.kill_group();
  }

  /// Ends the worker when its link is destroyed: no event follows, and no process of the worker is left.
  void abandon() {
    events_ = {};
    close_input();
    error_code ignored;
    output_.close(ignored);
    errors_.close(ignored);
    deadline_.cancel();
    if (child_) {
      // Blocks the thread for a moment, so that no worker outlives the program.
      child_.ends_within(kGrace);
      child_.end();
    }
    end_.close(ignored);
  }

 private:
  void write_next() {
    boost::asio::async_write(input_, boost::asio::buffer(queue_.front()),
                             [self = shared_from_this()](error_code error, std::size_t) {
                               if (error) return;  // the worker died, which its output shows
                               self->queue_.pop_front();
                               if (!self->queue_.empty()) self->write_next();
                             });
  }

  void read_output() {
    output_.async_read_some(boost::asio::buffer(block_),
                            [self = shared_from_this()](error_code error, std::size_t got) {
                              if (error) return self->output_ended();
                              self->read_frames(std::string_view(self->block_.data(), got));
                            });
  }

  void read_frames(std::string_view bytes) {
    try {
      reader_.feed(bytes);
      while (auto document = reader_.next()) {
        if (!events_.message) return;  // the last message's handler destroyed the link
        events_.message(std::move(*document));
      }
    } catch (const protocol::ProtocolError& error) {
      kill(error.what());
      return output_ended();
    }
    if (output_.is_open()) read_output();
  }

  void output_ended() {
    if (output_done_ || !events_.ended) return;
    output_done_ = true;
    // A frame that was cut off means that the worker died while it wrote.
    if (cause_.empty() && !reader_.at_boundary()) cause_ = "it ended in the middle of a message";
    close_input();
    deadline_.expires_after(kGrace);
    deadline_.async_wait([self = shared_from_this()](error_code error) {
      if (!error) self->child_.kill_group();
    });
    report_end();
  }

  void read_errors() {
    errors_.async_read_some(boost::asio::buffer(error_block_),
                            [self = shared_from_this()](error_code error, std::size_t got) {
                              if (error) {
                                self->errors_done_ = true;
                                return self->report_end();
                              }
                              self->take_errors(std::string_view(self->error_block_.data(), got));
                              self->read_errors();
                            });
  }

  void take_errors(std::string_view text) {
    last_words_ += text;
    // Trimmed only at twice the size, so that not every line moves the whole text.
    if (last_words_.size() > 2 * kLastWordsBytes) last_words_.erase(0, last_words_.size() - kLastWordsBytes);
    line_ += text;
    for (std::size_t end; (end = line_.find('\n')) != std::string::npos; line_.erase(0, end + 1))
      if (events_.log) events_.log(line_.substr(0, end));
    if (line_.size() > kLastWordsBytes)
      line_.clear();  // no log line is that long; a worker may not fill our memory
  }

  /// Bounds the wait for the output's end: a process that the worker started may hold the pipe open after
  /// its death.
  void wait_for_output() {
    deadline_.expires_after(kGrace);
    deadline_.async_wait([self = shared_from_this()](error_code error) {
      error_code ignored;
      if (!error && !self->output_done_) self->output_.cancel(ignored);
    });
  }

  /// Reports the end, once the process has ended and its output too. Its stderr is not waited for: a process
  /// that it started may hold it open.
  void report_end() {
    if (!output_done_ || !exited_ || !child_) return;
    std::string why = posix::describe(child_.end());
    if (!cause_.empty()) why = cause_ + " (" + why + ")";
    // The last line of a worker that died, often the reason, may still be in the pipe.
    if (!errors_done_) drain_errors();
    if (!last_words_.empty()) why += "; its last words: " + last_words_;
    deadline_.cancel();
    error_code ignored;
    errors_.close(ignored);
    if (const auto ended = std::exchange(events_, {}).ended) ended(std::move(why));
  }

  void drain_errors() {
    errors_.non_blocking(true);
    error_code error;
    while (!error) {
      const std::size_t got = errors_.read_some(boost::asio::buffer(error_block_), error);
      if (!error) take_errors(std::string_view(error_block_.data(), got));
    }
  }

  posix::ChildProcess child_;
  stream_descriptor input_, output_, errors_, end_;
  boost::asio::steady_timer deadline_;
  LinkEvents events_;
  protocol::FrameReader reader_;
  std::deque<std::string> queue_;
  std::array<char, 65536> block_;
  std::array<char, 4096> error_block_;
  std::string line_, last_words_, cause_;
  bool output_done_ = false, errors_done_ = false, exited_ = false;
};

class ProcessLink : public WorkerLink {
 public:
  explicit ProcessLink(std::shared_ptr<Process> process) : process_(std::move(process)) {}
  ~ProcessLink() override { process_->abandon(); }
  void send(std::string frame) override { process_->send(std::move(frame)); }
  void close_input() override { process_->close_input(); }
  void kill(std::string why) override { process_->kill(std::move(why)); }

 private:
  std::shared_ptr<Process> process_;
};

}  // namespace

StartLink process_links(boost::asio::io_context& io, WorkerCommand command) {
  struct sigaction now{};
  ::sigaction(SIGPIPE, nullptr, &now);
  // A handler that the program has set is left alone.
  if (now.sa_handler == SIG_DFL) ::signal(SIGPIPE, SIG_IGN);
  return [&io, command = std::move(command)](int, LinkEvents events) -> std::unique_ptr<WorkerLink> {
    auto worker = spawn_worker(command);
    FileDescriptor end(::fcntl(worker.process.pidfd(), F_DUPFD_CLOEXEC, 0));  // asio closes its own
    if (!end) throw MachineCannot(fmt::format("fcntl: {}: raise `ulimit -n`", std::strerror(errno)));
    auto process = std::make_shared<Process>(io, std::move(worker), std::move(end), std::move(events));
    process->start();
    return std::make_unique<ProcessLink>(std::move(process));
  };
}

}  // namespace ridgeline::evaluation
