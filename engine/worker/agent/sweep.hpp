// Ends every child of this process with its process group: builds under way, judges, and orphans that came to
// it.
#pragma once

namespace ridgeline::agent {

/// Signals only; whoever started a child still reaps it.
void kill_children();

}  // namespace ridgeline::agent
