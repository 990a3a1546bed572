// Turns a scan with wrong elements into the Mismatch that prompts, reports and rewards use.
#pragma once

#include <vector>

#include "engine/core/mismatch.hpp"
#include "engine/core/task.hpp"
#include "engine/verifier/scan.hpp"

namespace ridgeline::verifier {

/// Builds the mismatch of one output. `shape` is the compared part, whose product is `input.elements`;
/// `wrong` is as `scan` filled it.
Mismatch report(const Case& task_case, InputSet set, const Tensor& output,
                const std::vector<std::int64_t>& shape, const Scan& input, const ScanResult& result,
                const std::vector<std::uint8_t>& wrong);

/// Describes a mismatch in one line for people. A hidden case is not named.
std::string describe(const Mismatch& mismatch);

}  // namespace ridgeline::verifier
