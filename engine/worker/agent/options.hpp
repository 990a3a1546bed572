// The command line of `ridgeline-worker`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/worker/languages/build_cache.hpp"

namespace ridgeline::agent {

struct Options {
  std::string mailbox;  ///< a folder whose requests to answer instead of those on stdin
  std::string cache;    ///< of builds; "" is default_build_cache()
  std::uint64_t cache_limit = languages::default_cache_limit;  ///< bytes; 0: no limit
  std::string judge;  ///< path of the judge; "" is the one beside this program
  std::string torch;  ///< folder that holds a bundle's torch/; "" is python's
  int builders = 0;   ///< 0: from the number of cores
  bool help = false;
};

inline constexpr const char* usage =
    "ridgeline-worker [--builders N] [--cache DIR] [--cache-mib N] [--judge PATH] [--torch DIR]\n"
    "                 [--mailbox DIR]\n"
    "\n"
    "Builds and judges kernels: frames of Ridgeline's protocol on stdin, answers on stdout, logs on stderr.\n"
    "With --mailbox it answers the requests in DIR/outbox into DIR/inbox and ends.\n"
    "Builds are kept in the cache, at most 2048 MiB of them unless --cache-mib or RIDGELINE_CACHE_MIB says\n"
    "otherwise (0: no limit); what was used least recently goes first.\n"
    "In a bundle, LibTorch is taken from DIR/torch, where DIR is named by --torch or RIDGELINE_TORCH, else "
    "from\n"
    "the torch of python3.\n";

/// `cache_mib` and `torch` are the variables RIDGELINE_CACHE_MIB and RIDGELINE_TORCH, null if unset;
/// arguments win over them. Throws BadInput.
Options read_options(const std::vector<std::string>& arguments, const char* cache_mib = nullptr,
                     const char* torch = nullptr);

}  // namespace ridgeline::agent
