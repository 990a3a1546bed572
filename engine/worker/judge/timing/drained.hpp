// Whether a device still works for somebody who was stopped: what he has left there goes on.
#pragma once

namespace ridgeline::judge {

class Backend;

/// Waits until the device answers as one does that nobody uses. False: not within a second.
bool drained(Backend& backend);
/// Whether it answers so now. True where there is no device.
bool idle(Backend& backend);

}  // namespace ridgeline::judge
