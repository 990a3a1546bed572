// What a provider's answer has come to so far; the protocols write it, the clients read it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "llm_clients/client.hpp"

namespace ridgeline::llm {

struct Failure {
  LlmStatus status = LlmStatus::malformed;
  std::string detail;            ///< what, where, the mend
  bool hopeless = false;         ///< trying again cannot help, whatever the status usually means
  std::optional<double> wait_s;  ///< how long the server asks to be left alone
};

struct Answer {
  std::string text;
  std::string reasoning;
  std::string finish_reason;  ///< the provider's own word; empty while it goes on
  std::string provider_model;
  Usage usage;
  bool refused = false;  ///< said by something other than the finish reason
  bool ended = false;    ///< nothing more will come
  std::optional<Failure> failure;

  /// The text is whole, even if the connection should break now.
  bool finished() const { return ended || !finish_reason.empty(); }
};

/// answered, truncated or refused, by the words of all providers in one table.
LlmStatus status_of_finish(std::string_view finish_reason);

}  // namespace ridgeline::llm
