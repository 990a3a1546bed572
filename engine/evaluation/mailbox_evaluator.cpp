#include "engine/evaluation/mailbox_evaluator.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "engine/evaluation/no_verdict.hpp"
#include "engine/worker/protocol/mailbox.hpp"

namespace ridgeline::evaluation {

using nlohmann::json;

class MailboxEvaluator::Impl : public std::enable_shared_from_this<MailboxEvaluator::Impl> {
 public:
  Impl(boost::asio::io_context& io, MailboxSettings settings, Log log)
      : io_(io),
        settings_(std::move(settings)),
        log_(std::move(log)),
        folders_(protocol::open_mailbox(settings_.folder)),
        outbox_(folders_.outbox),
        inbox_(folders_.inbox),
        flush_timer_(io),
        poll_timer_(io) {
    // Requests of an earlier run are in the outbox already and need not be written again.
    log_all(outbox_.read_new([&](std::string_view line, const std::string&) {
      requested_.insert(protocol::id_of(json::parse(line, nullptr, /*allow_exceptions=*/false)));
    }));
    collect();
  }

  void evaluate(EvaluateRequest request, std::function<void(Verdict)> done) {
    const auto id = protocol::mailbox_id(request.task->hash, request.candidate.hash, request.settings);
    // A resumed campaign finds its earlier answers here.
    if (const auto known = answers_.find(id); known != answers_.end())
      return answer({std::move(request), std::move(done)}, known->second);
    if (requested_.insert(id).second)
      drafts_.push_back({id, protocol::encode_line(protocol::encode(protocol::ToWorker{protocol::Evaluate{
                                 id, *request.task, request.candidate, request.settings}}))});
    waiting_.emplace(id, Waiting{std::move(request), std::move(done)});
    if (!drafts_.empty()) flush_later();
    if (waiting_.size() == 1) poll_later();
  }

  std::size_t flush() {
    flush_timer_.cancel();
    drop_unwanted_drafts();
    if (drafts_.empty()) return 0;
    std::vector<std::string> lines;
    for (const auto& draft : drafts_) lines.push_back(draft.line);
    const auto path = protocol::write_numbered(folders_.outbox, "requests", lines);
    log(std::to_string(lines.size()) + " requests written to " + path.string() +
        "; answer them with `ridgeline-worker --mailbox DIR` on a machine that can");
    drafts_.clear();  // only now, so that a write that throws keeps them
    return lines.size();
  }

  // Lines that cannot be read are logged and skipped: the files are carried by hand and may be cut off.
  void collect() {
    log_all(
        inbox_.read_new([&](std::string_view line, const std::string& place) { read_line(line, place); }));
  }

  std::size_t waiting() const { return waiting_.size(); }

  void stop() {
    stopped_ = true;
    waiting_.clear();
    flush_timer_.cancel();
    poll_timer_.cancel();
  }

 private:
  struct Waiting {
    EvaluateRequest request;
    std::function<void(Verdict)> done;
  };
  struct Draft {
    std::string id;
    std::string line;  ///< encoded, as it goes into the file
  };
  using Answer = std::variant<protocol::Evaluated, protocol::Failed>;

  // A request that was cancelled before its file was written need not be carried to another machine and
  // judged there. One that is written already is judged: the file is out of our hands.
  void drop_unwanted_drafts() {
    std::erase_if(drafts_, [this](const Draft& draft) {
      for (auto [next, end] = waiting_.equal_range(draft.id); next != end;)
        next = is_wanted(next->second.request) ? std::next(next) : waiting_.erase(next);
      if (waiting_.contains(draft.id)) return false;
      requested_.erase(draft.id);  // should it be requested again, it is new
      return true;
    });
  }

  static bool is_wanted(const EvaluateRequest& request) { return !request.wanted || request.wanted(); }

  void read_line(std::string_view line, const std::string& place) {
    try {
      auto message = protocol::decode_from_worker(json::parse(line));
      if (auto* evaluated = std::get_if<protocol::Evaluated>(&message)) store_answer(std::move(*evaluated));
      if (auto* failed = std::get_if<protocol::Failed>(&message)) store_answer(std::move(*failed));
    } catch (const json::exception& error) {
      log(place + " is no JSON and was skipped: " + error.what());
    } catch (const Error& error) {
      log(place + " was skipped: " + error.what());
    }
  }

  void store_answer(Answer answered) {
    const std::string id = std::visit([](const auto& message) { return message.id; }, answered);
    // A later answer replaces an earlier one: somebody judged the request again.
    const auto known = answers_.insert_or_assign(id, std::move(answered)).first;
    for (auto [next, end] = waiting_.equal_range(id); next != end;) {
      answer(std::move(next->second), known->second);
      next = waiting_.erase(next);
    }
  }

  // Posts the answer, since a callback never runs inside a call of `evaluate`.
  void answer(Waiting waiting, const Answer& answered) {
    Verdict verdict = std::holds_alternative<protocol::Evaluated>(answered)
                          ? std::get<protocol::Evaluated>(answered).verdict
                          : failed_verdict(waiting.request, std::get<protocol::Failed>(answered));
    boost::asio::post(io_, [self = shared_from_this(), done = std::move(waiting.done),
                            verdict = std::move(verdict)]() mutable {
      // An interrupted campaign must not journal a verdict that it never saw.
      if (!self->stopped_) done(std::move(verdict));
    });
  }

  template <class Run>
  void later(boost::asio::steady_timer& timer, double delay, Run run) {
    timer.expires_after(std::chrono::duration_cast<std::chrono::steady_clock::duration>(
        std::chrono::duration<double>(delay)));
    timer.async_wait([self = shared_from_this(), run](const auto& error) {
      if (!error && !self->stopped_) run(*self);
    });
  }

  void flush_later() {
    later(flush_timer_, settings_.flush_seconds, [](Impl& self) {
      try {
        self.flush();
      } catch (const MachineCannot& error) {
        self.log(error.what());  // the drafts are kept, and an explicit flush throws it
      }
    });
  }

  void poll_later() {
    later(poll_timer_, settings_.poll_seconds, [](Impl& self) {
      self.collect();
      if (!self.waiting_.empty()) self.poll_later();
    });
  }

  void log(const std::string& line) {
    if (log_) log_(line);
  }
  void log_all(const std::vector<std::string>& lines) {
    for (const auto& line : lines) log(line);
  }

  boost::asio::io_context& io_;
  MailboxSettings settings_;
  Log log_;
  protocol::MailboxFolders folders_;
  protocol::LineFolder outbox_, inbox_;
  boost::asio::steady_timer flush_timer_, poll_timer_;
  std::set<std::string> requested_;
  std::vector<Draft> drafts_;  ///< requests that no file holds yet
  std::multimap<std::string, Waiting> waiting_;
  std::map<std::string, Answer> answers_;
  bool stopped_ = false;
};

MailboxEvaluator::MailboxEvaluator(boost::asio::io_context& io, MailboxSettings settings, Log log)
    : impl_(std::make_shared<Impl>(io, std::move(settings), std::move(log))) {}
MailboxEvaluator::~MailboxEvaluator() {
  impl_->stop();
}

void MailboxEvaluator::evaluate(EvaluateRequest request, std::function<void(Verdict)> done) {
  impl_->evaluate(std::move(request), std::move(done));
}
std::size_t MailboxEvaluator::flush() {
  return impl_->flush();
}
void MailboxEvaluator::collect() {
  impl_->collect();
}
std::size_t MailboxEvaluator::waiting() const {
  return impl_->waiting();
}
void MailboxEvaluator::stop() {
  impl_->stop();
}

}  // namespace ridgeline::evaluation
