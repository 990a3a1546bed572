// Correlates two series at all shifts at once, by a fast Fourier transform. Plain numbers, no tensors.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace ridgeline::verifier {

/// Returns the sums of a[i] * b[i + shift] over all i for which both exist. The element at
/// `shift + a.size() - 1` belongs to that shift, which goes from 1 - a.size() to b.size() - 1. Neither may be
/// empty. The rounding error of a sum is below 2^-40 of the product of both norms.
std::vector<double> correlate_at_all_shifts(std::span<const double> a, std::span<const double> b);

}  // namespace ridgeline::verifier
