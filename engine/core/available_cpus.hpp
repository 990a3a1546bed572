// The host's cores, as the system numbers them. Linux.
#pragma once

#include <vector>

namespace ridgeline {

/// Those that the calling thread may run on, in order; {0} where the system does not say.
std::vector<int> available_cpus();

}  // namespace ridgeline
