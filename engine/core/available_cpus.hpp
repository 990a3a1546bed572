// Lists the host's cores by the system's numbers. Linux only.
#pragma once

#include <vector>

namespace ridgeline {

/// Returns the cores that the calling thread may run on, in order; {0} if the system does not say.
std::vector<int> available_cpus();

}  // namespace ridgeline
