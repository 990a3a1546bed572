// The ways to ask one model: addresses with their keys, in the order in which they are tried.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "llm_clients/endpoint.hpp"
#include "llm_clients/key_source.hpp"
#include "llm_clients/model.hpp"

namespace ridgeline::llm {

/// What of the body a server may complain about, as it was sent.
struct SentParts {
  bool seed = false;
  bool max_tokens = false;  ///< by its old name
};

struct Target {
  Model model;  ///< the entry, with this address in it, and without what this server does not take
  KeySource key;
  std::shared_ptr<Endpoint> endpoint;
  bool answered = false;  ///< a model has answered a request of this entry here
  int denied = 0;         ///< requests in a row
  bool refused = false;   ///< its key or quota: passed over while there is another

  /// `denied` is of the account while nothing has been answered here, or with the fifth in a row; else of the
  /// request. Other blames stay. Call once for each answer or failure that comes.
  Blame judged(Blame blame);
  void has_answered();

  SentParts parts_of(const LlmRequest& request) const;
  /// The server rejected `part` of a body with `sent` in it. Returns whether the next goes without.
  bool goes_without(BodyPart part, const SentParts& sent);
};

class Targets {
 public:
  explicit Targets(std::vector<Target> targets) : targets_(std::move(targets)) {}

  struct Choice {
    Target* target = nullptr;
    CircuitBreaker::Decision decision;
  };
  /// The first that may be asked now; or, where none may, when one may. With `heedless` breakers stop nobody,
  /// and only decide which is taken where there are several. A request that failed at `failed_at` does not
  /// probe the same again while another takes it.
  Choice choose(TimePoint now, bool heedless, const Target* failed_at = nullptr);

  /// Passes over `target` from now on. Returns whether another is left; if not, all are tried again.
  bool refuse(Target& target);

  /// Since when none of them has answered; nothing where one is not out.
  std::optional<TimePoint> out_since() const;
  /// One of them has answered a request, of whatever entry, that was sent after `time`.
  bool answered_after(TimePoint time) const;

  std::vector<Target>& all() { return targets_; }
  std::size_t size() const { return targets_.size(); }

 private:
  std::vector<Target> targets_;  ///< never empty
};

}  // namespace ridgeline::llm
