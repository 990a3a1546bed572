// Keeps in the store what verdicts say of baselines, so that a card's are known without a kernel.
#pragma once

#include <map>
#include <string>
#include <tuple>

#include "engine/campaign/compiled_baselines.hpp"
#include "engine/core/verdict.hpp"
#include "engine/store/writer.hpp"

namespace ridgeline::campaign {

/// One thread: the campaign's.
class BaselineKeeper {
 public:
  /// Borrows `writer`, which must outlive this object.
  explicit BaselineKeeper(store::Writer& writer) : writer_(writer) {}

  /// Makes `record_from` also request torch.compile's time for each task that was answered correctly. Borrows
  /// `compiled`, which must outlive this object.
  void want_compiled(CompiledBaselines& compiled) { compiled_ = &compiled; }

  /// Records the eager baselines that `verdict` was timed against. Records each once per task, device and
  /// case, and again when a later verdict carries another time. Does not wait for the commit.
  void record_from(const Verdict& verdict, store::Milliseconds now);

 private:
  using Key = std::tuple<Hash, std::string, std::string>;  // task, device, case

  store::Writer& writer_;
  CompiledBaselines* compiled_ = nullptr;
  std::map<Key, double> recorded_seconds_;  // medians
};

}  // namespace ridgeline::campaign
