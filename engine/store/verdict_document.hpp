// A verdict as the store keeps it: one JSON document and its raw samples.
//
// The document is what core's codec makes of a verdict, with two differences. The ceilings are left out: they
// are the device's, and the table `devices` keeps them. The samples of all durations lie in one blob beside
// the document, eight bytes each; in their place stands [first, count]. So a new field of a verdict is added
// in the codec alone, even if it is a duration of the timed cases.
#pragma once

#include <string>
#include <vector>

#include "engine/core/verdict.hpp"

namespace ridgeline::store {

struct StoredVerdict {
  std::string document;
  std::vector<double> samples;  ///< of all durations, one after the other
};

StoredVerdict stored_verdict(const Verdict& verdict);

/// Returns the verdict without its ceilings. Throws Error or nlohmann's exceptions on a document that is no
/// verdict's, or whose samples are missing.
Verdict verdict_of(const std::string& document, const std::vector<double>& samples);

/// Returns the rooflines of the part of a document that holds them, under the same conditions.
std::vector<Roofline> rooflines_in(const std::string& part);

}  // namespace ridgeline::store
