// ridgeline-runner: holds one candidate and nothing else. Started by the judge, with its end of the channel
// as descriptor 3 and nothing in the environment. `ridgeline-runner [cpu | cuda:N]`.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

#include "engine/worker/runner/serve.hpp"
#include "engine/worker/runner/wire.hpp"

int main(int argc, char** argv) {
  using namespace ridgeline::runner;
  try {
    const std::string_view device = argc > 1 ? argv[1] : "cpu";
    if (device.starts_with("cuda:"))
      serve(kChannelFd, make_cuda_side(std::atoi(argv[1] + 5)), make_library_candidate(), Lockdowns::none);
    else
      serve(kChannelFd, make_host_side(), make_library_candidate(), Lockdowns::both);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ridgeline-runner: %s\n", error.what());
    return 3;
  }
  ::_exit(0);  // no destructor of a candidate runs
}
