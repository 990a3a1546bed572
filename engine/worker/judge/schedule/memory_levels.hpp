// Levels of a device's free memory, below which the judge has others give memory back before it goes on.
#pragma once

namespace ridgeline::judge {

/// Bytes. Below this, before a runner is taken, counting ahead is given up and retired runners are waited
/// for. If memory runs out while so little is free, and the end of the candidate's process frees as much or
/// more, that process had taken it (took_the_memory).
inline constexpr double little_memory = 4.0 * (1 << 30);
/// Bytes. Below this, retired runners are waited for before timing buffers are mapped.
inline constexpr double ample_memory = 16.0 * (1 << 30);

}  // namespace ridgeline::judge
