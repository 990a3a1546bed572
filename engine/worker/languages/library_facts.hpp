// Keeps what was learnt from the compiler's log at the end of the library that it made, so that a library out
// of the cache has it too and nothing has to be evicted beside it. An ELF loader reads by the program
// headers and never looks behind the last section.
#pragma once

#include <filesystem>
#include <vector>

#include "engine/core/kernel_resources.hpp"

namespace ridgeline::languages {

/// Appends the facts. Throws MachineCannot, for example if the disk is full.
void append_facts(const std::filesystem::path& library, const std::vector<KernelResources>& resources);

/// Reads the facts. Empty if none were appended or they cannot be read.
std::vector<KernelResources> read_facts(const std::filesystem::path& library);

}  // namespace ridgeline::languages
