// Kills every child of this process with its process group: running builds, judges, and orphans that this
// process adopted.
#pragma once

namespace ridgeline::agent {

/// Sends SIGKILL. Does not reap: the thread that started a child still waits for it.
void kill_children();

}  // namespace ridgeline::agent
