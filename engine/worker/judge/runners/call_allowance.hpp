// Bounds what a candidate's first calls may take beside the limit of each. Pure; one thread.
#pragma once

namespace ridgeline::judge {

/// Seconds that all calls of a candidate may take together beyond their own limits: for compiling, or for
/// what an interpreter imports at a first call.
class CallAllowance {
 public:
  explicit CallAllowance(double seconds) : left_(seconds) {}

  /// Returns the seconds after which the next call, whose own limit is `limit`, counts as hung.
  double limit_of(double limit) const { return limit + left_; }
  /// Takes off what a call that returned after `seconds` took beyond its own limit.
  void spend(double seconds, double limit);

 private:
  double left_;
};

/// Returns the allowance for a candidate. `interpreter`: its runner is an interpreter, which imports lazily.
/// `compiles`: its first calls may compile.
CallAllowance allowance_for(bool interpreter, bool compiles);

}  // namespace ridgeline::judge
