// Whether a worker can do what a campaign wants, decided from its hello before anything is spent.
#pragma once

#include <string>
#include <vector>

#include "engine/worker/protocol/messages.hpp"

namespace ridgeline::evaluation {

struct Requirements {
  std::vector<std::string> languages;  ///< names of core's Language; empty: any
  std::string isolation = "none";      ///< the least level accepted
  std::string backend;                 ///< "cpu" or "cuda"; "": any
};

/// Throws MachineCannot: a language or an isolation level that the worker does not offer, with the mends it
/// told and the switch that asks for less. Throws BadInput for a level that does not exist.
void check_hello(const protocol::Hello& hello, const Requirements& requirements);

/// 0 none, 1 standard, 2 strict. Throws BadInput for anything else.
int isolation_rank(const std::string& level);

}  // namespace ridgeline::evaluation
