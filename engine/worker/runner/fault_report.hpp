// Tells the judge where a candidate crashed, just before the process ends by the same signal: a claim that
// helps people and models, and decides nothing.
#pragma once

#include <cstdint>

namespace ridgeline::runner {

/// Handlers for SIGSEGV, SIGBUS, SIGFPE and SIGILL on a stack of their own (a stack overflow is told too).
/// Once, before any lockdown; the handler works once and then leaves the signal to the kernel.
void report_faults_to(int channel);

/// Where the candidate's code lies, so that a fault can be told as an offset into its file.
void set_candidate_range(std::uintptr_t load_address, std::uintptr_t end);

}  // namespace ridgeline::runner
