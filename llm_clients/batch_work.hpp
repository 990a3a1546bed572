// One batch at the provider, from its upload to its last line of results.
//
//   upload   the file of requests (OpenAI)
//   create   the record is in the journal before this is sent, with no id
//   search   it is not known whether the batch exists: the connection broke, or an earlier process was killed
//   look     it exists; from here on its record has its id
//   fetch    it ended: its results, line by line
//
// An exchange that fails is made again as long as BatchPatience allows. A batch for which nobody waits rests:
// nothing is sent until somebody does.
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
  double first_look = 5;
  double longest_look = 300;
  /// A batch whose creation broke off is not searched for sooner: the provider may still be at it.
  double before_search = 30;
};

/// What the batches of a client share.
struct BatchMeans {
  const BatchDialect& dialect;
  BatchKey& key;
  std::function<BatchPlace()> place;  ///< asked for each exchange: the key may have changed
  const Redactor& redact;
  const BatchJournal& journal;
  Timers& timers;
  Transport& transport;
  BatchPacing pacing;
  int attempts;  ///< retries.attempts
  BatchPatience& patience;
  /// An exchange failed and is made again at that time; or (nothing) the endpoint has answered.
  std::function<void(const Failure*, TimePoint)> on_waiting;
  /// Ids of all batches that are known to be others than this one.
  std::function<std::vector<std::string>(const BatchRecord&)> others;
};

class BatchWork : public std::enable_shared_from_this<BatchWork> {
 public:
  /// Each may let go of this batch, or ask for it again.
  struct Events {
    std::function<void()> sent;  ///< it exists, or nobody knows
    std::function<void(BatchLine)> line;
    std::function<void()> ended;  ///< all lines were told; who still waits has none
    /// The provider took it and found it wrong before anything ran.
    std::function<void(std::vector<BatchProblem>)> refused;
    std::function<void()> not_there;  ///< never created: searched for in vain, or no more wanted
    std::function<void(const Failure&, Fault)> given_up;
  };

  /// `items` is empty for a batch from the journal.
  BatchWork(BatchMeans& means, BatchRecord record, std::vector<BatchItem> items);
  void on(Events events) { events_ = std::move(events); }

  /// Somebody waits for it. `delay`: seconds, so that others who want it too can join.
  void want(double delay);
  void rest() { wanted_ = false; }

  /// The provider may have it, or be about to: its requests must not be sent again.
  bool may_exist() const { return posted_ || (step_ != Step::upload && step_ != Step::create); }
  BatchRecord& record() { return record_; }
  /// Writes the record; a failure is left to the next time (the record is there without what is new).
  void save() const noexcept;

 private:
  enum class Step { upload, create, search, look, fetch };

  void go();
  void go_with_key();
  void go_in(double seconds);
  void upload();
  void create();
  void search();
  void look();
  void fetch();
  void fetched_all();
  void on_state(const BatchState& state);
  void never_was();
  void answered();
  void failed(const BatchTrouble& trouble);
  void give_up(Failure failure, Fault fault);
  OnJson reply(void (BatchWork::*read)(const nlohmann::json&));
  void uploaded(const nlohmann::json& answer);
  void created(const nlohmann::json& answer);
  void searched(const nlohmann::json& answer);
  void looked(const nlohmann::json& answer);
  void malformed(const char* what);

  BatchMeans& means_;
  BatchRecord record_;
  std::vector<BatchItem> items_;
  std::set<std::string> ids_;
  Events events_;
  Step step_;
  LookPauses pauses_;
  bool wanted_ = false;
  bool busy_ = false;    ///< an exchange or a wait is under way
  bool posted_ = false;  ///< its creation was, and has not been refused
  int failures_ = 0;     ///< in a row
  std::string key_;      ///< that the exchange under way carries
  std::string file_;     ///< the upload's id
  std::string page_;     ///< of the search
  std::vector<std::string> results_;
  std::size_t next_result_ = 0;
  bool ours_ = false;    ///< a line of results was this batch's
  bool joined_ = false;  ///< somebody came to wait while results were fetched
};

}  // namespace ridgeline::llm
