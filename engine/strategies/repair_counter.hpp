// Counts repairs of a failing candidate, so that a strategy turns to something else after a limit.
#pragma once

namespace ridgeline::strategies {

class RepairCounter {
 public:
  explicit RepairCounter(int limit) : limit_(limit) {}

  void count() { ++repairs_; }
  void reset() { repairs_ = 0; }
  bool exhausted() const { return repairs_ >= limit_; }
  int repairs() const { return repairs_; }  ///< since the last reset

 private:
  int limit_;
  int repairs_ = 0;
};

}  // namespace ridgeline::strategies
