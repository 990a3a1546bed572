// Reads the solved examples that prompts show: a task in KernelBench's format, and an answer to it.
#pragma once

#include <filesystem>
#include <string>

#include "tests/engine/cli/batch.hpp"

namespace ridgeline::cli {

/// Writes the three tasks of `dialect` ("torch", "triton", "torch_cuda") into the folder of a clone, as
/// level1/FIRST_example.py and on, and adds their answers to `batch` as "torch0", "torch1", "torch2". Throws
/// if there are not three.
void ask_examples(Batch& batch, const std::filesystem::path& clone, const std::string& dialect, int first);

}  // namespace ridgeline::cli
