// ridgeline-runner: holds one candidate and nothing else. Started by the judge, with its end of the channel
// as descriptor 3 and nothing in the environment.
#include <unistd.h>

#include <cstdio>
#include <exception>

#include "engine/worker/runner/serve.hpp"
#include "engine/worker/runner/wire.hpp"

int main() {
  try {
    ridgeline::runner::serve(ridgeline::runner::kChannelFd);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ridgeline-runner: %s\n", error.what());
    return 3;
  }
  ::_exit(0);  // no destructor of a candidate runs
}
