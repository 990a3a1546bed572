// Describes the resources that the assembler allotted to each GPU kernel.
#pragma once

#include <string>
#include <vector>

#include "engine/core/kernel_resources.hpp"

namespace ridgeline::prompts {

/// Returns "kernel softmax_rows: 40 registers, no spills, 2 KiB shared memory". Zeros are left out, except
/// spills.
std::string resources_text(const KernelResources& resources);

/// Returns a line for each kernel, those that spill first. A kernel that several architectures build alike
/// has one line.
std::vector<std::string> resources_lines(const std::vector<KernelResources>& resources);

}  // namespace ridgeline::prompts
