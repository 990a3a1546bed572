// Levels of a device's free memory, below which the judge has others give memory back before it goes on.
#pragma once

namespace ridgeline::judge {

/// Bytes. Below this, before a runner is taken, the pass that is opened ahead for counting is given up and
/// retired runners are waited for. If memory runs out while no more than this is free, and the end of the
/// candidate's process frees this much beside what an honest one may keep, it is blamed (took_the_memory).
inline constexpr double little_memory = 4.0 * (1 << 30);
/// Bytes. Below this, retired runners are waited for before timing buffers are mapped.
inline constexpr double ample_memory = 16.0 * (1 << 30);

}  // namespace ridgeline::judge
