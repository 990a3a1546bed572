// From a scan that found wrong elements to the Mismatch that prompts, reports and rewards use.
#pragma once

#include <vector>

#include "engine/core/mismatch.hpp"
#include "engine/core/task.hpp"
#include "engine/verifier/scan.hpp"

namespace ridgeline::verifier {

/// `shape` is that of the compared part; its product is `input.elements`. `wrong` as `scan` filled it.
Mismatch report(const Case& one, InputSet set, const Tensor& output, const std::vector<std::int64_t>& shape,
                const Scan& input, const ScanResult& result, const std::vector<std::uint8_t>& wrong);

/// "wrong values in 'y' …": one line for people.
std::string describe(const Mismatch& mismatch);

}  // namespace ridgeline::verifier
