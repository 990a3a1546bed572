// How much of a device's memory must be free before the judge shares it with anything that could wait.
#pragma once

namespace ridgeline::judge {

/// Bytes. Below this, assume another process holds the memory.
inline constexpr double little_memory = 4.0 * (1 << 30);
/// Bytes. Below this, wait until runners that end have unmapped what they hold before more is mapped.
inline constexpr double ample_memory = 16.0 * (1 << 30);

}  // namespace ridgeline::judge
