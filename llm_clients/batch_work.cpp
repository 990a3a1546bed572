#include "llm_clients/batch_work.hpp"

#include <algorithm>
#include <utility>

#include "engine/core/error.hpp"
#include "llm_clients/json_access.hpp"

namespace ridgeline::llm {

BatchWork::BatchWork(BatchContext& context, BatchRecord record, std::vector<BatchItem> items)
    : context_(context),
      record_(std::move(record)),
      items_(std::move(items)),
      ids_(record_.custom_ids.begin(), record_.custom_ids.end()),
      pauses_(context.pacing.first_poll, context.pacing.longest_poll) {
  if (!items_.empty())
    step_ = context_.dialect.upload ? Step::upload : Step::create;
  else
    // A record without an id was written before the POST: its process ended before the answer came.
    step_ = record_.id.empty() ? Step::search : Step::poll;
}

void BatchWork::resume(double delay) {
  wanted_ = true;
  // A request that joins while results are fetched may have missed its line; `finish_fetch` reads them
  // again.
  wanted_again_ = true;
  if (!busy_) go_in(delay);
}

void BatchWork::save() const noexcept {
  try {
    context_.journal.write(record_);
  } catch (const std::exception&) {
    // The record from before the POST is still there, so a later process finds the batch by a search.
  }
}

void BatchWork::go_in(double seconds) {
  busy_ = true;
  // Weak: a timer must not keep a batch alive that the client has dropped.
  context_.timers.at(context_.timers.now() + clock_seconds(seconds), [weak = weak_from_this()] {
    if (const auto self = weak.lock()) self->go();
  });
}

void BatchWork::go() {
  busy_ = wanted_;
  if (!wanted_) {
    if (!may_exist()) report_not_created();
    return;
  }
  // Strong: a handler of the client may drop this batch while its own function runs.
  context_.key.ensure([self = shared_from_this()](const std::optional<Failure>& none) {
    if (none) return self->failed({*none});
    if (!self->wanted_) return self->go();  // it was paused while a command made the key, which takes seconds
    self->go_with_key();
  });
}

void BatchWork::go_with_key() {
  key_ = context_.key.current();
  switch (step_) {
    case Step::upload:
      return upload();
    case Step::create:
      return create();
    case Step::search:
      return search();
    case Step::poll:
      return poll();
    case Step::fetch:
      return fetch();
  }
}

OnJson BatchWork::reply(void (BatchWork::*read)(const nlohmann::json&)) {
  return [self = shared_from_this(), read](std::optional<BatchExchangeFailure> trouble,
                                           const nlohmann::json& answer) {
    if (trouble) return self->failed(*trouble);
    ((*self).*read)(answer);
  };
}

void BatchWork::upload() {
  request_json(
      context_.transport, context_.dialect.upload(context_.place(), record_, items_), context_.redact,
      [this] { return context_.timers.wall(); }, reply(&BatchWork::uploaded));
}

void BatchWork::uploaded(const nlohmann::json& answer) {
  file_ = text_at(answer, "id");
  if (file_.empty()) return malformed("the upload of a file has no id");
  answered();
  step_ = Step::create;
  go();
}

void BatchWork::create() {
  // The time of the POST, from which the search counts, not that of the first request.
  record_.created = context_.timers.wall();
  try {
    context_.journal.write(record_);
  } catch (const MachineCannot& error) {
    return give_up({.status = LlmStatus::connection_failed,
                    .detail = std::string(error.what()) +
                              "; a batch that is not written down could be paid twice, so it was not sent"},
                   Fault::endpoint);
  }
  auto request = context_.dialect.create(context_.place(), record_, items_, file_);
  request.fresh_connection = true;  // a pooled connection may die, and the transport would send it twice
  posted_ = true;
  request_json(
      context_.transport, std::move(request), context_.redact, [this] { return context_.timers.wall(); },
      reply(&BatchWork::created));
}

void BatchWork::created(const nlohmann::json& answer) {
  const auto state = context_.dialect.state(answer);
  if (!state) return malformed("the answer to the creation of a batch describes none");
  answered();
  record_.id = state->id;
  // The bodies may take 100 MB, and are not sent again once the batch exists.
  items_.clear();
  save();
  step_ = Step::poll;
  events_.sent();
  on_state(*state);
}

void BatchWork::search() {
  const auto since = std::chrono::duration<double>(context_.timers.wall() - record_.created).count();
  // A negative time means that the wall clock was set back; the search then does not wait.
  if (since >= 0 && since < context_.pacing.before_search)
    return go_in(context_.pacing.before_search - since);
  const auto place = context_.place();
  request_json(
      context_.transport, place.get(page_.empty() ? context_.dialect.first_page : page_), context_.redact,
      [this] { return context_.timers.wall(); }, reply(&BatchWork::searched));
}

void BatchWork::searched(const nlohmann::json& answer) {
  auto known = context_.others(record_);
  // A batch of another record, or one that was tried and is not ours, is not this one.
  known.insert(known.end(), record_.not_ours.begin(), record_.not_ours.end());
  const auto found = context_.dialect.search(answer, record_, known);
  answered();
  if (const auto* next = std::get_if<NextPage>(&found)) {
    page_ = next->path;
    return go();
  }
  page_.clear();
  const auto* batch = std::get_if<FoundBatch>(&found);
  if (!batch) return report_not_created();
  record_.id = batch->id;
  record_.guessed = batch->guessed;
  save();
  step_ = Step::poll;
  go();
}

void BatchWork::poll() {
  const auto place = context_.place();
  request_json(
      context_.transport, place.get(std::string(context_.dialect.path) + '/' + record_.id), context_.redact,
      [this] { return context_.timers.wall(); }, reply(&BatchWork::polled));
}

void BatchWork::polled(const nlohmann::json& answer) {
  const auto state = context_.dialect.state(answer);
  if (!state) return malformed("the answer to a poll describes no batch");
  answered();
  on_state(*state);
}

void BatchWork::on_state(const BatchState& state) {
  switch (state.phase) {
    case BatchState::Phase::running:
      return go_in(pauses_.next());
    case BatchState::Phase::refused:
      busy_ = false;
      context_.journal.remove(record_);
      return events_.refused(state.problems);
    case BatchState::Phase::ended:
      // Reading starts anew after a break too. No request gets two results, since BatchCalls knows which
      // ones wait.
      results_ = state.results;
      next_result_ = 0;
      has_own_results_ = false;
      wanted_again_ = false;
      step_ = Step::fetch;
      return go();
  }
}

void BatchWork::fetch() {
  if (next_result_ == results_.size()) return finish_fetch();
  const auto request = context_.place().get(results_[next_result_]);
  const auto self = shared_from_this();
  request_lines(
      context_.transport, request, context_.redact, [this] { return context_.timers.wall(); },
      [self, url = request.url](const nlohmann::json& answer) {
        auto line = self->context_.dialect.line(answer, url, self->context_.timers.wall());
        // A guessed batch may be another's; its lines then name ids that are not in the record.
        if (!line || !self->ids_.contains(line->custom_id)) return;
        self->has_own_results_ = true;
        self->events_.line(std::move(*line));
      },
      [self](std::optional<BatchExchangeFailure> trouble) {
        if (trouble) return self->failed(*trouble);
        self->answered();
        ++self->next_result_;
        self->go();
      });
}

void BatchWork::finish_fetch() {
  step_ = Step::poll;  // a request that comes later starts again from here
  // The guess was wrong. The search goes on without this batch, and the record remembers it.
  if (record_.guessed && !has_own_results_) {
    record_.not_ours.push_back(std::exchange(record_.id, {}));
    record_.guessed = false;
    step_ = Step::search;
    save();
    return go();
  }
  // A request joined meanwhile, and its line may have passed before it did.
  if (wanted_again_) return go();
  busy_ = false;
  events_.ended();
}

void BatchWork::report_not_created() {
  busy_ = false;
  context_.journal.remove(record_);
  events_.not_created();
}

void BatchWork::answered() {
  failures_ = 0;
  context_.key.accepted(key_);
  context_.patience.answered();
  context_.on_waiting(nullptr, context_.timers.now());
}

void BatchWork::malformed(const char* what) {
  BatchExchangeFailure trouble;
  trouble.failure.status = LlmStatus::malformed;
  trouble.failure.why = "no batch in the answer";
  trouble.failure.detail = "the batch endpoint does not answer as its protocol says: " + std::string(what);
  trouble.may_have_taken_effect = true;
  failed(trouble);
}

void BatchWork::failed(const BatchExchangeFailure& trouble) {
  if (step_ == Step::create) {
    // The POST failed. If the batch may exist all the same, only a search can tell.
    posted_ = false;
    if (trouble.may_have_taken_effect) {
      step_ = Step::search;
      events_.sent();
    }
  }
  const auto now = context_.timers.now();
  auto failure = trouble.failure;
  // The command may print a new key, and the same step is repeated with it.
  if (failure.blame == Blame::account && context_.key.refused(key_)) return go();
  ++failures_;
  // Some of the provider's machines may not know a new batch yet, so a 404 is retried a few times.
  const bool unknown = failure.status == LlmStatus::not_found && may_exist();
  if (unknown && failures_ < context_.attempts) failure.blame = Blame::endpoint;
  const auto decision = context_.patience.failed(now, failure, failures_);
  if (const auto* retry = std::get_if<RetryIn>(&decision)) {
    const auto wait = clock_seconds(retry->seconds);
    context_.on_waiting(&failure, now + wait);
    return go_in(retry->seconds);
  }
  const auto& given_up = std::get<GiveUp>(decision);
  if (!given_up.reason.empty()) failure.detail += "; " + given_up.reason;
  if (unknown && !record_.id.empty() && context_.journal.keeps())
    failure.detail += "; the batch " + record_.id + " is recorded in " + context_.journal.folder().string() +
                      ": if it is lost for good, remove " + record_.key +
                      ".json there and its requests are sent (and paid) again";
  give_up(std::move(failure), given_up.fault);
}

void BatchWork::give_up(Failure failure, Fault fault) {
  busy_ = false;
  if (!may_exist()) context_.journal.remove(record_);
  events_.given_up(failure, fault);
}

}  // namespace ridgeline::llm
