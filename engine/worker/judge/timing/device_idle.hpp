// Whether a device still works off jobs that a paused process left on it.
#pragma once

namespace ridgeline::judge {

class Telemetry;

/// Waits until the device answers as fast as an unused one, for at most a second. Returns false if it was
/// still busy then; true at once if the backend has no device.
bool wait_until_idle(Telemetry& telemetry);
/// Returns whether the device answers as fast as an unused one now; true if the backend has no device.
bool is_idle(Telemetry& telemetry);

}  // namespace ridgeline::judge
