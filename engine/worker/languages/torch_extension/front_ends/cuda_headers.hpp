// Torch's and CUDA's headers as nvcc's host half reads them, for the two programs that do: g++ -E expands,
// cudafe++ parses. Both are held behind them (held_process.hpp), 2.2 GB of memory, so that a source costs no
// more than its own text.
#pragma once

#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/worker/languages/torch_extension/front_ends/held_process.hpp"
#include "engine/worker/languages/torch_extension/front_ends/tools.hpp"

namespace ridgeline::front_ends {

struct CudaHeaders {
  std::filesystem::path folder;            // in the cache: what both are held with
  languages::BuildHold hold;               // keeps the folder there while it lives
  std::vector<std::string> expand, parse;  // their command lines in that folder
  std::string expected;                    // what nvcc says of wrong_cuda(), from the first error on
};

/// Makes the texts, unless that was done before, by running nvcc once (20 s of CPU). Empty if `stop` became
/// true, or if it cannot be done here. `why` says which step failed, in either case. Throws MachineCannot.
std::optional<CudaHeaders> cuda_headers(const languages::Workshop& workshop, const Tools& tools,
                                        const std::atomic<bool>& stop, std::string& why);

/// Two held front ends.
struct HeldPair {
  std::unique_ptr<HeldProcess> expansion, parser;

  /// Takes their output and enforces limits. False: one has ended.
  bool look() { return expansion->look() && parser->look(); }
};

/// Starts both and waits for them, or until `stop`, which outlives them. Throws MachineCannot in their own
/// words.
HeldPair hold(const CudaHeaders& headers, const Tools& tools, const std::atomic<bool>& stop);

/// Returns why the pair is of no use; "" if it says of wrong_cuda() what nvcc says, and nothing of a right
/// source.
std::string distrust(HeldPair& pair, const CudaHeaders& headers);

}  // namespace ridgeline::front_ends
