// Decides from a worker's hello, before anything is spent, whether it can do what a campaign needs.
#pragma once

#include <string>
#include <vector>

#include "engine/worker/protocol/messages.hpp"

namespace ridgeline::evaluation {

/// The requirements of a campaign on its workers.
struct Requirements {
  std::vector<std::string> languages;  ///< names of core's Language; empty: any
  std::string isolation = "none";      ///< the weakest level accepted: "none", "standard" or "strict"
  std::string backend;                 ///< "cpu" or "cuda"; "": any
};

/// Checks a hello. Throws MachineCannot for a language, a backend or an isolation level that the worker does
/// not offer; the message lists what the worker lacks, how to fix it, and the setting that asks for less.
/// Throws BadInput for an isolation level that does not exist.
void check_hello(const protocol::Hello& hello, const Requirements& requirements);

/// Returns the strength of an isolation level: 0 for none, 1 for standard, 2 for strict. Throws BadInput for
/// another word.
int isolation_rank(const std::string& level);

}  // namespace ridgeline::evaluation
