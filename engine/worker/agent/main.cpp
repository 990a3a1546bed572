// ridgeline-worker: builds candidates and has them judged. See engine/worker/agent/agent.hpp.
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "engine/core/error.hpp"
#include "engine/worker/agent/worker_main.hpp"

int main(int count, char** words) {
  try {
    const auto options =
        ridgeline::agent::read_options(std::vector<std::string>(words + 1, words + count),
                                       std::getenv("RIDGELINE_CACHE_MIB"), std::getenv("RIDGELINE_TORCH"));
    if (options.help) {
      std::fputs(ridgeline::agent::usage, stderr);
      return 0;
    }
    ridgeline::agent::run_worker(options);
  } catch (const ridgeline::Error& error) {
    std::fprintf(stderr, "ridgeline-worker: %s\n", error.what());
    return error.exit_code();
  }
}
