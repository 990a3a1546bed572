// Compares how much longer a module's calls take apart than in a batch with how much longer its reference's
// do, on the same host. Calls apart cannot do the work of others (timing/calls_apart.hpp).
//
// A module waits for the host in its launches. Apart, its first calls meet cold caches of the host, and a
// busy host is slower still. Its reference meets the same, and cannot have worked ahead. Plain numbers.
#pragma once

namespace ridgeline::judge {

/// What the task's reference takes, in seconds per call.
struct ReferenceTimes {
  double in_batch = 0;
  double apart = 0;  ///< the least of its windows; no allowance is subtracted
};

/// Returns whether the candidate's calls slow down apart by more than the reference's do.
/// `in_batch`, `apart`: the candidate's seconds per call in a batch and apart, the latter less its allowance
/// (CallsApart::allowance). True if `apart` exceeds both
///   1.1 in_batch * (reference.apart / reference.in_batch) and
///   1.1 in_batch + (reference.apart - reference.in_batch).
/// A reference that is no slower apart, or has no time in a batch, gives the factor 1; one that is no slower
/// apart gives the difference 0.
bool slows_apart_more_than_reference(const ReferenceTimes& reference, double in_batch, double apart);

}  // namespace ridgeline::judge
