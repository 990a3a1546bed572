// References of KernelBench-X that contradict their own metadata. No I/O.
#pragma once

#include <string>
#include <string_view>

namespace ridgeline::suites::kernelbenchx {

/// Returns in what the reference of the task is wrong, or "". A fault is known of one text: a file that was
/// mended is another text, and judged as any other. Those faults alone stand here that calls of the file's
/// test reach: there an answer that does what the metadata says gives another result, as measured against
/// torch's own operators.
std::string known_fault(std::string_view full_name, std::string_view reference);

}  // namespace ridgeline::suites::kernelbenchx
