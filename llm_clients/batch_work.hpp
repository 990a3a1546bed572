// Drives one batch at the provider, from its upload to its last line of results. The steps:
//
//   upload   send the file of requests (OpenAI only)
//   create   create the batch; its record is in the journal before, without an id
//   search   find out whether the batch exists, after a broken connection or a kill of an earlier process
//   poll     read the state of a batch that exists; its record has its id, or a guess (batch_dialect.hpp)
//   fetch    read the results of an ended batch, line by line; if a guessed batch is another's, search again
//
// A failed exchange is repeated as long as BatchPatience allows. While no request waits for the batch, it is
// paused: nothing is sent until `resume`.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "llm_clients/batch_dialect.hpp"
#include "llm_clients/batch_exchange.hpp"
#include "llm_clients/batch_journal.hpp"
#include "llm_clients/batch_key.hpp"
#include "llm_clients/batch_pauses.hpp"
#include "llm_clients/timers.hpp"
#include "llm_clients/transport.hpp"

namespace ridgeline::llm {

/// Seconds.
struct BatchPacing {
  double first_poll = 5;
  double longest_poll = 300;
  /// From the POST that creates a batch to the first search for it, because the provider may still be
  /// creating it.
  double before_search = 30;
};

/// Holds what all batches of a client share. The client owns it and everything it refers to.
struct BatchContext {
  const BatchDialect& dialect;
  BatchKey& key;
  std::function<BatchAddress()> place;  ///< called for each exchange, because the key may have changed
  const Redactor& redact;
  const BatchJournal& journal;
  Timers& timers;
  Transport& transport;
  BatchPacing pacing;
  int attempts;  ///< the entry's retries.attempts
  BatchPatience& patience;
  /// Reports that an exchange failed and is repeated at that time; a null failure: the endpoint has answered.
  std::function<void(const Failure*, TimePoint)> on_waiting;
  /// Returns the ids of all known batches other than this one.
  std::function<std::vector<std::string>(const BatchRecord&)> others;
};

class BatchWork : public std::enable_shared_from_this<BatchWork> {
 public:
  /// A handler may drop this batch, or call `resume`. `refused`, `not_created` and `given_up` of a batch that
  /// may not exist are the last event: the batch must be dropped. A batch that was given up and may exist can
  /// be resumed.
  struct Events {
    std::function<void()> sent;  ///< the batch was created, or may have been
    std::function<void(BatchLine)> line;
    /// All lines were passed on; a request that still waits has none. A later `resume` reads them again.
    std::function<void()> ended;
    /// The provider accepted the batch, then refused it before it ran anything.
    std::function<void(std::vector<BatchProblem>)> refused;
    std::function<void()> not_created;  ///< the search found no batch, or `pause` came before the creation
    std::function<void(const Failure&, Fault)> given_up;
  };

  /// `context` must outlive the batch. `items` is empty for a batch that was read from the journal.
  BatchWork(BatchContext& context, BatchRecord record, std::vector<BatchItem> items);
  void on(Events events) { events_ = std::move(events); }

  /// Goes on because a request waits for the batch. `delay` in seconds, so that more requests can join.
  void resume(double delay);
  /// Sends nothing more after the exchange under way.
  void pause() { wanted_ = false; }

  /// Whether the provider may have the batch, so that its requests must not be sent again.
  bool may_exist() const { return posted_ || (step_ != Step::upload && step_ != Step::create); }
  BatchRecord& record() { return record_; }
  /// Writes the record. Ignores a failure: the earlier record still lets a search find the batch.
  void save() const noexcept;

 private:
  enum class Step { upload, create, search, poll, fetch };

  void go();
  void go_with_key();
  void go_in(double seconds);
  void upload();
  void create();
  void search();
  void poll();
  void fetch();
  void finish_fetch();
  void on_state(const BatchState& state);
  void report_not_created();
  void answered();
  void failed(const BatchExchangeFailure& trouble);
  void give_up(Failure failure, Fault fault);
  OnJson reply(void (BatchWork::*read)(const nlohmann::json&));
  void uploaded(const nlohmann::json& answer);
  void created(const nlohmann::json& answer);
  void searched(const nlohmann::json& answer);
  void polled(const nlohmann::json& answer);
  void malformed(const char* what);

  BatchContext& context_;
  BatchRecord record_;
  std::vector<BatchItem> items_;
  std::set<std::string> ids_;  ///< custom_ids of its requests
  Events events_;
  Step step_;
  PollPauses pauses_;
  bool wanted_ = false;
  bool busy_ = false;    ///< an exchange or a wait is under way
  bool posted_ = false;  ///< the request to create the batch was sent, and has not been refused
  int failures_ = 0;     ///< failed exchanges in a row
  std::string key_;      ///< the key that the exchange under way carries
  std::string file_;     ///< the upload's id
  std::string page_;     ///< the page that the search has reached; empty: the first
  std::vector<std::string> results_;
  std::size_t next_result_ = 0;
  bool has_own_results_ = false;  ///< at least one line of results names a request of this batch
  bool wanted_again_ = false;     ///< `resume` was called while results were fetched
};

}  // namespace ridgeline::llm
