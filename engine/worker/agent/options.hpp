// The command line of `ridgeline-worker`.
#pragma once

#include <string>
#include <vector>

namespace ridgeline::agent {

struct Options {
  std::string mailbox;  ///< a folder whose requests to answer instead of those on stdin
  std::string cache;    ///< of builds; "" is default_build_cache()
  std::string judge;    ///< path of the judge; "" is the one beside this program
  int builders = 0;     ///< 0: from the number of cores
  bool help = false;
};

inline constexpr const char* usage =
    "ridgeline-worker [--builders N] [--cache DIR] [--judge PATH] [--mailbox DIR]\n"
    "\n"
    "Builds and judges kernels: frames of Ridgeline's protocol on stdin, answers on stdout, logs on stderr.\n"
    "With --mailbox it answers the requests in DIR/outbox into DIR/inbox and ends.\n";

/// Throws BadInput.
Options read_options(const std::vector<std::string>& arguments);

}  // namespace ridgeline::agent
