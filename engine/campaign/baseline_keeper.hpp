// Keeps in the store what verdicts say of baselines, so that a card's are known without a kernel.
#pragma once

#include <map>
#include <string>
#include <tuple>

#include "engine/campaign/compiled_baselines.hpp"
#include "engine/core/verdict.hpp"
#include "engine/store/writer.hpp"

namespace ridgeline::campaign {

class BaselineKeeper {
 public:
  /// `writer` outlives it.
  explicit BaselineKeeper(store::Writer& writer) : writer_(writer) {}

  /// From now on torch.compile's are wanted where a right candidate was timed; `compiled` outlives this.
  void want_compiled(CompiledBaselines& compiled) { compiled_ = &compiled; }

  /// Records the eager baselines that the verdict was timed against: of each task, device and case the first,
  /// and another where it was measured anew. Returns at once.
  void hear(const Verdict& verdict, store::Milliseconds now);

 private:
  using Key = std::tuple<Hash, std::string, std::string>;  // task, device, case

  store::Writer& writer_;
  CompiledBaselines* compiled_ = nullptr;
  std::map<Key, double> kept_;  // medians in seconds
};

}  // namespace ridgeline::campaign
