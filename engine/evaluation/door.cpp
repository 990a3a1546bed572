#include "engine/evaluation/door.hpp"

#include <fmt/format.h>

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <optional>
#include <utility>

#include "engine/evaluation/line_sink.hpp"
#include "engine/evaluation/line_source.hpp"
#include "engine/evaluation/seen_ids.hpp"

namespace ridgeline::evaluation {
namespace {

constexpr int kLinesAtOnce = 64;  // lines handled before the io_context gets to other handlers
constexpr const char* kTooLong =
    "longer than {} bytes; send the kernel's source alone, or split the batch's task from it";

}  // namespace

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

  /// Wraps `call` for a thread of the source or the sink: it runs on the io_context's thread, if the door
  /// still lives.
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
    // The threads post to the io_context, which must not run out of work and return meanwhile.
    busy_.emplace(io_.get_executor());
    sink_.emplace(output_, settings_.memory,
                  on_io([](Impl& self, std::string why) { self.finish(std::move(why)); }));
    source_.emplace(input_, settings_.longest_line, settings_.memory,
                    on_io([](Impl& self) { self.submit_lines(); }));
  }

  void stop() {
    stopped_ = true;
    done_ = nullptr;
    source_.reset();
    sink_.reset();
    busy_.reset();
  }

 private:
  /// Hands lines to the evaluator until `in_flight` of them are there or none waits.
  void submit_lines() {
    if (!source_) return;
    try {
      for (int i = 0; i < kLinesAtOnce; ++i) {
        if (in_flight_ >= settings_.in_flight) return;
        const auto line = source_->next();
        if (!line) return end_if_done();
        answer(*line);
      }
    } catch (const MachineCannot& error) {  // the lines that wait cannot be read back
      return finish(error.what());
    }
    // Posted, so that answers of workers are handled between two portions of lines.
    on_io([](Impl& self) { self.submit_lines(); })();
  }

  void answer(const LineSource::Line& line) {
    if (line.too_long)
      return put_error({"", line.number, fmt::format(fmt::runtime(kTooLong), settings_.longest_line)});
    auto read = read_door_line(line.text, line.number, lookup_, settings_.evaluate, settings_.read_source,
                               settings_.backend);
    if (const auto* error = std::get_if<DoorError>(&read)) return put_error(*error);
    auto request = std::make_shared<const DoorRequest>(std::get<DoorRequest>(std::move(read)));
    // Checked after the line was read, so that a bad line does not occupy an id.
    if (const auto before = ids_.add(request->id, line.number))
      return put_error({request->id, line.number,
                        fmt::format("the id {} stands in line {} already: nobody could tell the two verdicts "
                                    "apart; give each line an id of its own",
                                    request->id, *before)});
    ++in_flight_;
    evaluator_.evaluate(request->evaluation, [weak = weak_from_this(), request](const Verdict& verdict) {
      // The evaluator may answer after the door is gone: a request under way cannot be taken back.
      const auto self = weak.lock();
      if (!self || self->stopped_) return;
      --self->in_flight_;
      ++self->count_.verdicts;
      self->put(write_door_verdict(*request, verdict));
      self->submit_lines();
    });
  }

  void put_error(const DoorError& error) {
    ++count_.errors;
    put(write_door_error(error));
  }

  void put(std::string line) {
    if (sink_) sink_->put(std::move(line));
  }

  void end_if_done() {
    if (in_flight_ > 0 || !source_->ended()) return;
    // The verdicts so far are still written before the end is reported.
    count_.broken = source_->error();
    source_.reset();
    sink_->close();
  }

  /// Reports the end: everything is written, or `why` nothing more can be.
  void finish(std::string why) {
    if (!done_) return;
    if (!why.empty()) count_.broken = std::move(why);
    source_.reset();
    sink_.reset();
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
  std::optional<LineSink> sink_;
  SeenIds ids_;
  std::size_t in_flight_ = 0;
  DoorCount count_;
  bool stopped_ = false;
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
