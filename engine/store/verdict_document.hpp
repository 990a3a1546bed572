// The half of a verdict that is kept as JSON: what is said once, is rare or has no fixed shape. The other
// half, numbers that come in rows (stages, case timings, error quantiles, rooflines), has tables:
// verdict_numbers.hpp.
//
// Keeping the rows out halves the file and takes three quarters of the time that writing a result would cost.
#pragma once

#include <string>

#include "engine/core/verdict.hpp"

namespace ridgeline::store {

/// `verdict` is the same afterwards; its rows are set aside while the document is made.
std::string document_of(Verdict& verdict);
/// A verdict without its rows.
Verdict verdict_of(const std::string& document);

}  // namespace ridgeline::store
