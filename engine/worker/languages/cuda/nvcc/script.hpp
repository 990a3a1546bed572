// Writes a plan of nvcc's steps as a shell script, which runs them inside one sandbox as soon as what they
// read is there. Pure.
//
// Called as `sh -c SCRIPT sh TRAMPOLINE MODULE_ID [HEADERS]` in the folder of the build. Messages come out in
// nvcc's order, up to the step that failed. MODULE_ID tells names of internal linkage in this unit from those
// of others.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/worker/languages/cuda/nvcc/plan.hpp"

namespace ridgeline::nvcc {

/// Quotes a word for the shell, whatever is in it. A word that stands for something in a plan becomes that.
std::string shell_word(std::string_view word);
std::string shell_line(const Plan::Words& words);

/// Returns the script with what nvcc puts into the environment of its steps.
std::string with_environment(const Plan& plan, const std::string& script);

/// Runs host side and device side at the same time, then the host's compiler and the linker.
std::string steps_script(const Plan& plan);

/// Name the files of the folder HEADERS: what nvcc reads before each source, read ahead (headers.hpp).
inline constexpr std::string_view kHostText = "host.ii", kHostMacros = "host.macros";
inline constexpr std::string_view kDeviceText = "device.ii", kDeviceMacros = "device.macros";
inline constexpr std::string_view kHostHeader = "host.hpp";  // beside host.hpp.gch
/// Begins a word that names one of these files.
inline constexpr std::string_view kHeadersWord = "{headers}/";
/// Name FIFOs that have to lie in the folder of the build.
inline constexpr std::string_view kStubPipe = "early/kernel.cudafe1.stub.c";
inline constexpr std::string_view kFatbinPipe = "early/kernel.fatbin.c";

/// Uses the headers that were read ahead: only the candidate's own text is expanded, and the host's compiler
/// begins before the device side has ended, waiting for its files where it includes them. A step that has
/// anything to say, or does not find what was read ahead, is run as nvcc would.
std::string steps_script(const Plan& plan, std::uintmax_t header_bytes);

/// Returns `words`, which expand kernel.cu after cuda_runtime.h, with the macros of that header in its place.
Plan::Words with_macros(Plan::Words words, const std::string& macros);

}  // namespace ridgeline::nvcc
