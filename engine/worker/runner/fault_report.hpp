// Reports to the judge where a candidate crashed, just before the process ends by the same signal. The report
// is a claim, which helps people and models and decides nothing.
#pragma once

#include <cstdint>

namespace ridgeline::runner {

/// Installs handlers for SIGSEGV, SIGBUS, SIGFPE and SIGILL, on a stack of their own so that a stack overflow
/// is reported too. Call it once, before any lockdown. A handler runs once and then leaves the signal to the
/// kernel.
void report_faults_to(int channel);

/// Sets the range of addresses of the candidate's code, so that a fault is reported as an offset into its
/// file.
void set_candidate_range(std::uintptr_t load_address, std::uintptr_t end);

}  // namespace ridgeline::runner
