// Describes the resources that the assembler allotted to each GPU kernel.
#pragma once

#include <string>
#include <vector>

#include "engine/core/kernel_resources.hpp"

namespace ridgeline::prompts {

/// Returns "kernel softmax_rows: 40 registers, no spills, 2 KiB shared memory". Stack and shared memory are
/// left out if they are 0.
std::string resources_text(const KernelResources& resources);

/// Returns a line for each kernel and architecture, that with the most spilled bytes first. Lines name no
/// architecture, so architectures that build a kernel alike share a line.
std::vector<std::string> resources_lines(const std::vector<KernelResources>& resources);

}  // namespace ridgeline::prompts
