// Candidates built as the agent builds them: same compilers, same sandbox, its default flags.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/core/candidate.hpp"
#include "engine/core/task.hpp"
#include "engine/worker/languages/build_result.hpp"

namespace ridgeline::judge {

/// `cuda` for this machine's GPU, or the default architecture where there is none. Throws where this machine
/// has no compiler for the language. Any thread that lives as long as the call.
languages::BuildResult build(const Task& task, const Candidate& candidate);

/// The library of a `cpp` source; throws what the compiler said where it fails.
std::filesystem::path build_library(const Task& task, const std::string& source);

struct ToBuild {
  Task task;
  Candidate candidate;
};
/// Into the cache, on all cores: what is judged later needs no compiler any more. How a build ends is told
/// then.
void build_ahead(const std::vector<ToBuild>& all);

}  // namespace ridgeline::judge
