// The runner pool answers the schedule's question about its runners with this struct.
#pragma once

namespace ridgeline::judge {

/// The runners just now, as their pool sees them.
struct RunnersNow {
  bool ending = false;              ///< a retired runner may still be there
  bool opening_device = false;      ///< an interpreter opens the device and computes there for the first time
  bool starting_or_ending = false;  ///< imports ahead of the device-open barrier do not count
};

}  // namespace ridgeline::judge
