// Fits the architectures that nvcc's flags name to the device that the kernels will run on. Pure.
//
// nvcc puts machine code (`sm_80`) and portable code (PTX, `compute_80`) into a library. A driver takes the
// machine code that runs on its device, else assembles the PTX. Nothing assembles where kernels are measured,
// so what the driver would do is done in the build: `-arch=sm_80` for an sm_90 becomes
// `-gencode=arch=compute_80,code=sm_90`.
#pragma once

#include <string>
#include <variant>
#include <vector>

namespace ridgeline::languages {

/// The flags with what they name of architectures replaced by what the device runs.
using FittedFlags = std::vector<std::string>;
/// Says which architectures the flags name, that none runs on the device, and how to repair it.
using FitsNoDevice = std::string;

/// Fits `flags`, which first_forbidden_cuda has admitted, to `device` ("sm_90"). Machine code for other
/// devices is left out: nobody would load it. Flags that name no architecture come back as they are.
std::variant<FittedFlags, FitsNoDevice> fit_architectures(const std::vector<std::string>& flags,
                                                          const std::string& device);

/// Adds to nvcc's words how to repair an architecture that this nvcc builds nothing for ("Unsupported gpu
/// architecture 'compute_70'"); other words come back as they are.
std::string with_architecture_hint(std::string said);

}  // namespace ridgeline::languages
