#include "engine/evaluation/door.hpp"

#include <poll.h>
#include <unistd.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

#include "engine/evaluation/line_source.hpp"

namespace ridgeline::evaluation {

class Door::Impl : public std::enable_shared_from_this<Door::Impl> {
 public:
  Impl(boost::asio::io_context& io, Evaluator& evaluator, TaskLookup lookup, DoorSettings settings, int input,
       int output)
      : io_(io),
        evaluator_(evaluator),
        lookup_(std::move(lookup)),
        settings_(std::move(settings)),
        input_(input),
        output_(output) {}

  /// From the reading thread to the io_context's.
  template <class Call>
  auto on_io(Call call) {
    return [weak = weak_from_this(), &io = io_, call](auto... arguments) {
      boost::asio::post(io, [weak, call, ... arguments = std::move(arguments)]() mutable {
        if (const auto self = weak.lock(); self && !self->stopped_) call(*self, std::move(arguments)...);
      });
    };
  }

  void run(std::function<void(DoorCount)> done) {
    done_ = std::move(done);
    busy_.emplace(io_.get_executor());
    LineSource::Events events;
    events.line = on_io([](Impl& self, std::string text, std::size_t number) { self.take(text, number); });
    events.too_long = on_io([](Impl& self, std::size_t number) {
      self.put_error({"", number, "longer than " + std::to_string(self.settings_.longest_line) + " bytes"});
    });
    events.end = on_io([](Impl& self, std::string error) {
      self.input_ended_ = true;
      if (self.count_.broken.empty()) self.count_.broken = std::move(error);
      self.end_if_done();
    });
    source_.emplace(input_, settings_.in_flight, settings_.longest_line, std::move(events));
  }

  void stop() {
    stopped_ = true;
    done_ = nullptr;
    source_.reset();
    busy_.reset();
  }

 private:
  void take(const std::string& text, std::size_t number) {
    auto read = read_door_line(text, number, lookup_, settings_.evaluate);
    if (const auto* error = std::get_if<DoorError>(&read)) return put_error(*error);
    auto request = std::make_shared<const DoorRequest>(std::get<DoorRequest>(std::move(read)));
    ++in_flight_;
    evaluator_.evaluate(request->asked, [weak = weak_from_this(), request](const Verdict& verdict) {
      const auto self = weak.lock();
      if (!self || self->stopped_) return;
      --self->in_flight_;
      ++self->count_.verdicts;
      self->put(write_door_verdict(*request, verdict));
    });
  }

  void put_error(const DoorError& error) {
    ++count_.errors;
    put(write_door_error(error));
  }

  /// Blocks while the reader of the verdicts is slow: that is the back-pressure on this side.
  void put(const std::string& line) {
    for (std::size_t done = 0; count_.broken.empty() && done < line.size();) {
      const ssize_t wrote = ::write(output_, line.data() + done, line.size() - done);
      if (wrote >= 0)
        done += static_cast<std::size_t>(wrote);
      else if (errno == EAGAIN)
        wait_until_writable();
      else if (errno != EINTR)
        count_.broken = std::string("cannot write verdicts: ") + std::strerror(errno);
    }
    if (source_) source_->allow_one();
    end_if_done();
  }

  void wait_until_writable() {
    pollfd room{output_, POLLOUT, 0};
    ::poll(&room, 1, -1);
  }

  void end_if_done() {
    const bool broken = !count_.broken.empty();
    if (!done_ || (!broken && (!input_ended_ || in_flight_ > 0))) return;
    source_.reset();
    busy_.reset();
    boost::asio::post(io_, [done = std::exchange(done_, nullptr), count = count_] { done(count); });
  }

  boost::asio::io_context& io_;
  Evaluator& evaluator_;
  TaskLookup lookup_;
  DoorSettings settings_;
  int input_, output_;
  std::function<void(DoorCount)> done_;
  std::optional<boost::asio::executor_work_guard<boost::asio::io_context::executor_type>> busy_;
  std::optional<LineSource> source_;
  std::size_t in_flight_ = 0;
  DoorCount count_;
  bool input_ended_ = false, stopped_ = false;
};

Door::Door(boost::asio::io_context& io, Evaluator& evaluator, TaskLookup lookup, DoorSettings settings,
           int input, int output)
    : impl_(std::make_shared<Impl>(io, evaluator, std::move(lookup), std::move(settings), input, output)) {}
Door::~Door() {
  impl_->stop();
}
void Door::run(std::function<void(DoorCount)> done) {
  impl_->run(std::move(done));
}
void Door::stop() {
  impl_->stop();
}

}  // namespace ridgeline::evaluation
