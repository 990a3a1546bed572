// What the assembler gave each GPU kernel, in words.
#pragma once

#include <string>
#include <vector>

#include "engine/core/kernel_resources.hpp"

namespace ridgeline::prompts {

/// "kernel softmax_rows: 40 registers, no spills, 2 KiB shared memory"; what is 0 is left out, spills
/// aside.
std::string resources_text(const KernelResources& resources);

/// One line a kernel, those that spill first; each once, though built for several architectures.
std::vector<std::string> resources_lines(const std::vector<KernelResources>& resources);

}  // namespace ridgeline::prompts
