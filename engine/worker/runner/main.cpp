// ridgeline-runner: holds one candidate and nothing else. Started by the judge, with its end of the channel
// as descriptor 3 and nothing in the environment. `ridgeline-runner [cpu | cuda:N [counters:LIBCUPTI]]`.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>
#include <utility>

#include "engine/worker/runner/serve.hpp"
#include "engine/worker/runner/wire.hpp"

int main(int argc, char** argv) {
  using namespace ridgeline::runner;
  try {
    const std::string_view device = argc > 1 ? argv[1] : "cpu";
    if (device.starts_with("cuda:")) {
      const int index = std::atoi(argv[1] + 5);
      auto side = make_cuda_side(index);
      const std::string_view counters = argc > 2 ? argv[2] : "";
      auto counting = counters.starts_with(kCountersWord)
                          ? make_cuda_counting(counters.substr(kCountersWord.size()), index)
                          : nullptr;
      serve(kChannelFd, std::move(side), make_replayed(make_library_candidate()), Lockdowns::device,
            {std::move(counting), make_cuda_input_unsealer(index)});
    } else {
      serve(kChannelFd, make_host_side(), make_library_candidate(), Lockdowns::library);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "ridgeline-runner: %s\n", error.what());
    return 3;
  }
  ::_exit(0);  // runs no destructor of the candidate, which could hang or report anything
}
