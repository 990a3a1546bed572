#include "engine/worker/judge/tasks/case_baseline.hpp"

#include <stdexcept>
#include <utility>

namespace ridgeline::judge {

bool has_drifted(double drift, BusyHostSlows slows) {
  // A baseline that a busy host slows alone is slower whenever the host is busy, which says nothing.
  if (slows == BusyHostSlows::baseline_alone) return drift <= 1 / most_quicker;
  return drift >= most_drift || drift <= 1 / most_drift;
}

bool replaces(const Duration& measured, const Duration& kept, BusyHostSlows slows) {
  return slows == BusyHostSlows::both || measured.high < kept.low;
}

double CaseBaseline::drift_of(double seconds) const {
  if (!kept_) throw std::logic_error("the drift of a baseline that was never measured");
  return seconds / kept_->median;
}

void CaseBaseline::expectation_drawn(double seconds) {
  if (reference_seconds_ == 0) reference_seconds_ = seconds;
}

CaseBaseline::AfterCheck CaseBaseline::check_ended(double drift, BusyHostSlows slows) {
  if (!kept_) throw std::logic_error("the check of a baseline that was never measured");
  const bool drifted = has_drifted(drift, slows);
  // If both sides are slowed, one that is slower now is measured anew, but later candidates need no further
  // check should that measurement fail.
  confirmed_ = drift > 1 || !drifted;
  return drifted ? AfterCheck::measure_anew : AfterCheck::stands;
}

void CaseBaseline::measurement_ended(Duration measured, BusyHostSlows slows) {
  if (kept_ && !replaces(measured, *kept_, slows))
    confirmed_ = true;
  else
    keep(std::move(measured));
}

void CaseBaseline::rounds_ended(Duration measured) {
  keep(std::move(measured));
}

void CaseBaseline::measured_beside_other_work(const CaseBaseline& before) {
  *this = before;
}

void CaseBaseline::candidate_ran_meanwhile(const CaseBaseline& before) {
  *this = before;
  confirmed_ = false;
}

void CaseBaseline::keep(Duration measured) {
  // Limits of calls follow from what is kept, so both change together.
  reference_seconds_ = measured.median;
  kept_ = std::move(measured);
  confirmed_ = false;
}

}  // namespace ridgeline::judge
