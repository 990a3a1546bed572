// The targets of one model entry: its addresses with their keys, in the order in which they are tried.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "llm_clients/endpoint.hpp"
#include "llm_clients/key_source.hpp"
#include "llm_clients/model.hpp"

namespace ridgeline::llm {

/// The optional parts that the body of an attempt contained.
struct SentParts {
  bool seed = false;
  bool max_tokens = false;  ///< under the old name `max_tokens`
};

struct Target {
  Model model;  ///< the entry with this address, without the optional parts that this server rejected
  KeySource key;
  std::shared_ptr<Endpoint> endpoint;
  bool answered = false;  ///< this target has answered a request of this entry
  int denied = 0;         ///< denied requests in a row
  bool refused = false;   ///< its key or quota was refused: skipped while there is another target

  /// Replaces the blame `denied`: by `account` while the target has answered nothing, or with the fifth
  /// denial in a row, else by `request`. Returns other blames unchanged. Call it once for each failed
  /// attempt.
  Blame settle_blame(Blame blame);
  /// Records a successful answer.
  void record_answer();

  /// Returns the optional parts that the body of `request` contains.
  SentParts sent_parts(const LlmRequest& request) const;
  /// Omits `part` from later requests, because the server rejected it. Returns false if the rejected body,
  /// with `sent` in it, did not contain the part, so that sending it again would change nothing.
  bool leave_out(BodyPart part, const SentParts& sent);
};

class Targets {
 public:
  explicit Targets(std::vector<Target> targets) : targets_(std::move(targets)) {}

  struct Choice {
    Target* target = nullptr;
    CircuitBreaker::Decision decision;
  };
  /// Returns the first target that may be used now; if none may, the one that may be used soonest, and when.
  /// With `ignore_breakers`, breakers only decide which of several targets is preferred. A request that
  /// failed at `failed_at` does not probe that target again while another accepts it.
  Choice choose(TimePoint now, bool ignore_breakers, const Target* failed_at = nullptr);

  /// Skips `target` from now on. Returns whether another target is left; if not, all are used again.
  bool refuse(Target& target);

  /// Returns since when every target has been failing; nothing if one of them is not.
  std::optional<TimePoint> out_since() const;
  /// Whether a target has answered a request, of any entry, that was sent after `time`.
  bool answered_after(TimePoint time) const;

  std::vector<Target>& all() { return targets_; }
  std::size_t size() const { return targets_.size(); }

 private:
  std::vector<Target> targets_;  ///< never empty
};

}  // namespace ridgeline::llm
