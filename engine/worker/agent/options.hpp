// Reads the command line of `ridgeline-worker`.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/worker/languages/build_cache.hpp"

namespace ridgeline::agent {

struct Options {
  std::string mailbox;  ///< folder of a mailbox to answer; "": requests come on stdin
  std::string cache;    ///< folder of the build cache; "": default_build_cache()
  std::uint64_t cache_limit = languages::default_cache_limit;  ///< bytes; 0: no limit
  std::string judge;                 ///< path of the judge; "": the one beside this program
  std::string torch;                 ///< folder that contains torch/; "": that of python3
  std::uint64_t device_memory = 0;   ///< bytes of a GPU that judging may take; 0: all
  std::vector<std::string> devices;  ///< GPUs to measure on, "cuda:1"; empty: all
  int builders = 0;                  ///< 0: chosen from the number of cores
  bool help = false;
};

inline constexpr const char* usage =
    "ridgeline-worker [--builders N] [--cache DIR] [--cache-mib N] [--judge PATH] [--torch DIR]\n"
    "                 [--devices all|cuda:N,…] [--device-memory SIZE] [--mailbox DIR]\n"
    "\n"
    "Builds and judges kernels: frames of Ridgeline's protocol on stdin, answers on stdout, logs on stderr.\n"
    "With --mailbox it answers the requests in DIR/outbox into DIR/inbox and ends.\n"
    "Builds are kept in the cache, at most 2048 MiB of them unless --cache-mib or RIDGELINE_CACHE_MIB says\n"
    "otherwise (0: no limit); what was used least recently goes first.\n"
    "In a bundle, LibTorch is taken from DIR/torch, where DIR is named by --torch or RIDGELINE_TORCH, else "
    "from\n"
    "the torch of python3.\n"
    "It measures on every GPU, each with a judge of its own, or on those that --devices names.\n"
    "With --device-memory 24GiB judges take no more of a GPU than that, as if it had no more.\n";

/// Reads the arguments. `cache_mib` and `torch` are the values of RIDGELINE_CACHE_MIB and RIDGELINE_TORCH,
/// null if unset; arguments override them. Throws BadInput with the usage.
Options read_options(const std::vector<std::string>& arguments, const char* cache_mib = nullptr,
                     const char* torch = nullptr);

}  // namespace ridgeline::agent
