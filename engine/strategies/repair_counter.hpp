// How often a failing candidate may be repaired before a strategy turns to something else.
#pragma once

namespace ridgeline::strategies {

class RepairCounter {
 public:
  explicit RepairCounter(int limit) : limit_(limit) {}

  void spend() { ++spent_; }
  void reset() { spent_ = 0; }
  bool exhausted() const { return spent_ >= limit_; }
  int spent() const { return spent_; }

 private:
  int limit_;
  int spent_ = 0;
};

}  // namespace ridgeline::strategies
