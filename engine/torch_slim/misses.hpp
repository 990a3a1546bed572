// Counts how often the stand-ins did not suffice, so that their worth can be watched: a module that torch's
// own headers built after the stand-ins had failed is a miss, and costs most of a minute instead of a second.
//
// Thread-safe.
#pragma once

#include <mutex>
#include <optional>
#include <string>

namespace ridgeline::torch_slim {

/// How one module was built, or why it was not.
enum class Build {
  slim,           ///< the stand-ins sufficed
  torch,          ///< torch's own headers built it after the stand-ins had failed: a miss
  neither,        ///< both refused the source: it is wrong, and no miss
  torch_not_used  ///< the stand-ins failed; torch's own headers were forbidden, could not help, or were known
                  ///< to refuse the source too
};

class Misses {
 public:
  /// Counts a module. `error` is the stand-ins' first one. Returns a line for the worker's log if this is a
  /// miss.
  std::optional<std::string> count(Build build, const std::string& error);

  /// Returns "torch_slim: stand-ins for torch 2.11: 120 modules, 117 built with them, 2 needed torch's own
  /// headers (1.7 %)"; empty before the first module.
  std::string summary() const;

 private:
  mutable std::mutex mutex_;
  unsigned modules_ = 0, slim_ = 0, missed_ = 0;
};

}  // namespace ridgeline::torch_slim
