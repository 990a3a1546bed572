// Decides when device code is built relocatable (-rdc=true) and linked with the device's runtime, as a kernel
// needs that launches kernels. It costs a link, and calls across the linked code are not inlined, so it is
// done only where the flags or the compiler's complaints ask for it. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ridgeline::languages {

/// Returns whether the flags, each in one element with its value (with_values_joined), hold -rdc=true or
/// -relocatable-device-code=true, with one dash or two. -dc is no allowed flag (cuda_flags.hpp).
bool names_relocatable(const std::vector<std::string>& flags);
/// Returns the flags with -rdc=true, in place of what they say of it.
std::vector<std::string> with_relocatable(std::vector<std::string> flags);

/// Returns whether a failed build asks for the device's runtime: device code launches a kernel or calls a
/// function of cudadevrt.
bool asks_for_device_runtime(std::string_view log);
/// Returns whether a failed build of a .cu may succeed as relocatable code: it asks for the device's runtime,
/// or declares a device variable `extern` and defines it in the same source.
bool asks_for_relocatable(std::string_view log);

/// Returns whether a failed build may lack the device's linker or runtime. A source can have these words
/// printed, so DeviceLink (device_link.hpp) is asked before a failure is the machine's.
bool may_lack_device_link(std::string_view log);

}  // namespace ridgeline::languages
