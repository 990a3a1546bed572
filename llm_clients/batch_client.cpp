#include "llm_clients/batch_client.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "engine/core/error.hpp"
#include "engine/core/hash.hpp"
#include "llm_clients/batch_calls.hpp"
#include "llm_clients/batch_key.hpp"
#include "llm_clients/open_batches.hpp"
#include "llm_clients/redaction.hpp"
#include "llm_clients/url.hpp"

namespace ridgeline::llm {
namespace {

constexpr double kCallerStoresWithin = 10;  // seconds in which the caller has committed a result to its store
constexpr const char* kStopped = "no more requests are sent";

class BatchClient : public LlmClient {
 public:
  explicit BatchClient(BatchParts parts)
      : parts_(std::move(parts)),
        model_(batch_model(parts_.model)),
        dialect_(*batch_dialect_of(model_.provider)),
        redact_(parts_.secrets),
        key_(std::move(parts_.key), std::move(parts_.commands), model_.name, *parts_.timers, redact_),
        journal_(parts_.folder),
        url_(batch_address(model_, "").root + dialect_.path),
        patience_(model_),
        refusal_patience_(model_),
        calls_({model_, redact_, *parts_.timers, parts_.random, url_, [this] { send(); },
                [this](const std::string& key) { return would_be_lost(key); }},
               parts_.collect),
        context_{
            .dialect = dialect_,
            .key = key_,
            .place = [this] { return batch_address(model_, key_.current()); },
            .redact = redact_,
            .journal = journal_,
            .timers = *parts_.timers,
            .transport = *parts_.transport,
            .pacing = parts_.pacing,
            .attempts = model_.retries.attempts,
            .patience = patience_,
            .on_waiting = [this](const Failure* failure, TimePoint next) { report_endpoint(failure, next); },
            .others = [this](const BatchRecord& record) { return ids_besides(record); }} {
    // Batches of an earlier process stay paused until one of their requests comes again.
    for (auto& record : journal_.read(model_.provider, url_, parts_.timers->wall()))
      start(std::move(record), {});
  }

  ~BatchClient() override {
    // First: from here on no handler is called any more.
    parts_.transport.reset();
    key_.close();
    sweep();
    calls_.close("the client was destroyed before the answer came");
  }

  void complete(LlmRequest request, Completion done) override {
    // Here and in the destructor instead of by a timer: a record that stays a while longer costs nothing.
    sweep();
    const auto id = calls_.add(std::move(request), std::move(done));
    if (stopped_) return;
    // An earlier process, or an earlier request of this one, may have sent it already.
    const auto batch = open_ids_.batch_of(id);
    if (!batch) return calls_.enqueue(id);
    calls_.put_into(id, *batch);
    calls_.count_attempt(id);
    open_.at(*batch).work->resume(parts_.collect.window);
  }

  void cancel(const std::string& address) override {
    if (const auto id = calls_.cancel(address); !id.empty()) mark_done(id);
  }

  void stop_sending() override {
    stopped_ = true;
    for (auto& [key, open] : open_) open.work->pause();
    calls_.close(kStopped);
  }

 private:
  struct Open {
    std::shared_ptr<BatchWork> work;
    /// Items that failed. What that means is seen when all lines are there: whether others were answered.
    std::vector<std::pair<std::string, BatchItemEnd>> failed;
    std::optional<TimePoint> done_since;  ///< when its last request got its outcome
  };

  void send() {
    for (auto items = calls_.take(); !items.empty(); items = calls_.take()) {
      BatchRecord record;
      // The key is drawn before the POST, so that a search by metadata finds the batch even if its answer
      // was lost.
      record.key = new_key(items.front().custom_id);
      record.provider = model_.provider;
      record.endpoint = url_;
      for (const auto& item : items) {
        record.custom_ids.push_back(item.custom_id);
        calls_.put_into(item.custom_id, record.key);
      }
      start(std::move(record), std::move(items)).resume(0);
    }
  }

  /// Returns a key that no other batch has, in this process or another: the clock and a random number make
  /// it unique across processes, the counter within this one.
  std::string new_key(const std::string& first) {
    const auto wall = parts_.timers->wall().time_since_epoch().count();
    return sha256_of({url_, first, std::to_string(wall), std::to_string(++key_count_),
                      std::to_string(parts_.random())})
        .substr(0, 32);
  }

  BatchWork& start(BatchRecord record, std::vector<BatchItem> items) {
    const auto key = record.key;
    open_ids_.add(key, record.custom_ids);
    const auto work = std::make_shared<BatchWork>(context_, std::move(record), std::move(items));
    work->on(
        {.sent =
             [this, key] {
               for (const auto& id : calls_.all_in(key)) calls_.count_attempt(id);
             },
         .line = [this, key](BatchLine line) { on_line(key, std::move(line)); },
         .ended = [this, key] { on_ended(key); },
         .refused = [this, key](std::vector<BatchProblem> problems) { on_refused(key, problems); },
         .not_created = [this, key] { send_again(key); },
         .given_up = [this, key](const Failure& failure, Fault fault) { on_given_up(key, failure, fault); }});
    open_[key].work = work;
    return *work;
  }

  void on_line(const std::string& key, BatchLine line) {
    const auto id = line.custom_id;
    if (!calls_.is_in(id, key)) return;  // no request waits for it, at least not yet
    auto end = end_of_item(model_.provider, std::move(line));
    auto& open = open_.at(key);
    // Whether a denial is the account's fault depends on whether other items succeed, which is known at the
    // end.
    if (end.answer.failure) {
      open.failed.emplace_back(id, std::move(end));
      return;
    }
    answered_ = true;
    mark_done(id);
    calls_.finish_item(id, std::move(end), open.work->record().created, true);
  }

  void on_ended(const std::string& key) {
    refusal_patience_.answered();
    refusals_ = 0;
    const auto found = open_.find(key);
    if (found == open_.end())
      return;  // all requests were answered before the last line, and `sweep` removed it
    auto& open = found->second;
    for (auto& [id, end] : std::exchange(open.failed, {})) end_failed(open, key, id, std::move(end));
    // The requests that are left have no line in the results.
    for (const auto& id : calls_.all_in(key)) end_failed(open, key, id, end_without_line());
    // Saves what was settled so far. If all is done, the record goes soon and need not be written.
    if (!open.done_since) open.work->save();
  }

  void end_failed(Open& open, const std::string& key, const std::string& id, BatchItemEnd end) {
    if (!calls_.is_in(id, key)) return;  // its line came twice, because the results were fetched again
    mark_done(id);
    calls_.finish_item(id, std::move(end), open.work->record().created, answered_);
  }

  /// Records that the request got its outcome from its batch, so that it is sent again if it comes again.
  void mark_done(const std::string& id) {
    for (const auto& key : open_ids_.finish_request(id)) {
      auto& open = open_.at(key);
      auto& record = open.work->record();
      if (std::ranges::find(record.settled, id) == record.settled.end()) record.settled.push_back(id);
      if (record.settled.size() == record.custom_ids.size()) open.done_since = parts_.timers->now();
    }
  }

  void on_refused(const std::string& key, std::vector<BatchProblem> problems) {
    if (problems.empty())
      problems.push_back(
          {{}, {.status = LlmStatus::server_error, .detail = "the batch was refused", .why = "refused"}});
    auto& open = open_.at(key);
    const auto record = open.work->record();
    std::optional<Failure> whole;
    for (auto& problem : problems) {
      if (!problem.item || *problem.item >= record.custom_ids.size()) {
        if (!whole) whole = problem.failure;
        continue;
      }
      BatchItemEnd end;
      end.answer.failure = problem.failure;
      end_failed(open, key, record.custom_ids[*problem.item], std::move(end));
    }
    // Only single items were at fault. They have their failures; the others go into the next batch.
    if (!whole) return send_again(key);
    const auto now = parts_.timers->now();
    const auto decision = refusal_patience_.failed(now, *whole, ++refusals_);
    if (const auto* retry = std::get_if<RetryIn>(&decision)) {
      const auto next = now + clock_seconds(retry->seconds);
      // The provider refuses any batch until its queue has room, so no new batch goes before that time.
      calls_.hold_until(next);
      report_endpoint(&*whole, next);
      return send_again(key);
    }
    const auto& given_up = std::get<GiveUp>(decision);
    if (!given_up.reason.empty()) whole->detail += "; " + given_up.reason;
    const auto ids = calls_.all_in(key);
    drop(key);
    for (const auto& id : ids) calls_.give_up(id, *whole, given_up.fault);
  }

  /// Handles a batch that was not created, or that ran nothing: its requests go into the next one.
  void send_again(const std::string& key) {
    const auto ids = calls_.all_in(key);
    drop(key);
    for (const auto& id : ids) {
      // An earlier batch may hold the request, whose results no request has waited for until now.
      const auto batch = open_ids_.batch_of(id);
      if (!batch) {
        calls_.enqueue(id);
        continue;
      }
      calls_.put_into(id, *batch);
      open_.at(*batch).work->resume(0);
    }
  }

  void on_given_up(const std::string& key, const Failure& failure, Fault fault) {
    // An endpoint that fails, fails for all batches.
    const bool all = fault == Fault::endpoint;
    const auto ids = all ? calls_.all() : calls_.all_in(key);
    for (const auto& id : ids) calls_.give_up(id, failure, fault);
    std::vector<std::string> never_sent;
    for (auto& [other, open] : open_) {
      if (!all && other != key) continue;
      open.work->pause();
      if (!open.work->may_exist()) never_sent.push_back(other);
    }
    for (const auto& other : never_sent) drop(other);
  }

  void drop(const std::string& key) {
    open_ids_.drop(key);
    open_.erase(key);
  }

  /// Removes the batches whose last result was delivered long enough ago for the caller to have stored it.
  void sweep() {
    const auto long_ago = parts_.timers->now() - clock_seconds(kCallerStoresWithin);
    std::erase_if(open_, [&](const auto& entry) {
      const auto& [key, open] = entry;
      if (!open.done_since || *open.done_since > long_ago) return false;
      journal_.remove(open.work->record());
      open_ids_.drop(key);
      return true;
    });
  }

  bool would_be_lost(const std::string& key) const {
    const auto open = open_.find(key);
    return !journal_.keeps() && open != open_.end() && open->second.work->may_exist();
  }

  std::vector<std::string> ids_besides(const BatchRecord& record) const {
    std::vector<std::string> ids;
    for (const auto& [key, open] : open_)
      if (key != record.key && !open.work->record().id.empty()) ids.push_back(open.work->record().id);
    return ids;
  }

  void report_endpoint(const Failure* failure, TimePoint next) {
    if (!parts_.on_endpoint) return;
    const auto wall = parts_.timers->wall();
    // The first report of an outage. Later ones keep its `since`.
    if (failure && !waiting_)
      waiting_ = EndpointState{.model = model_.name, .host = parse_url(url_, "base_url").host, .since = wall};
    if (!waiting_) return;
    waiting_->waiting = failure != nullptr;
    if (failure) waiting_->why = failure->why;
    waiting_->next_probe = wall + std::chrono::duration_cast<WallTime::duration>(next - parts_.timers->now());
    parts_.on_endpoint(*waiting_);
    if (!failure) waiting_.reset();
  }

  BatchParts parts_;
  const Model model_;
  const BatchDialect& dialect_;
  Redactor redact_;
  BatchKey key_;
  const BatchJournal journal_;
  const std::string url_;           ///< the batch endpoint, without query
  BatchPatience patience_;          ///< for an endpoint that does not answer
  BatchPatience refusal_patience_;  ///< for one that accepts no batch, because too much is queued
  int refusals_ = 0;                ///< refused batches in a row
  BatchCalls calls_;
  OpenBatches open_ids_;
  BatchContext context_;
  std::map<std::string, Open> open_;  ///< by key
  std::optional<EndpointState> waiting_;
  bool answered_ = false;  ///< some request was answered since the client was made
  bool stopped_ = false;
  int key_count_ = 0;
};

}  // namespace

std::unique_ptr<LlmClient> make_batch_client(BatchParts parts) {
  if (!batch_dialect_of(parts.model.provider))
    throw BadInput("models." + parts.model.name + ".batch: " + std::string(to_string(parts.model.provider)) +
                   " has no batch endpoint that is spoken here; take `batch: true` out (openai_chat, "
                   "openai_completions and anthropic have one)");
  return std::make_unique<BatchClient>(std::move(parts));
}

}  // namespace ridgeline::llm
