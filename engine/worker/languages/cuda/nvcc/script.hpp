// Writes a plan of nvcc's steps (plan.hpp) as a shell script. Run inside one sandbox, it runs the steps
// for the host beside those for the device, which is faster than nvcc's own order. Pure.
//
// The script is called as `sh -c SCRIPT sh TRAMPOLINE MODULE_ID [HEADERS]` in the folder of the build.
// - TRAMPOLINE: the path of the object file that is linked behind the candidate's and calls its kernel.
// - MODULE_ID: text that makes names of internal linkage in this unit differ from those of others.
// - HEADERS: the folder of the prepared headers (headers.hpp), for a script that uses them.
// It leaves kernel.so in the folder of the build. Messages go to stderr in nvcc's order, up to the step that
// failed; those of later steps are dropped. The script exits with 1 if a step before the link fails. Other
// steps may then still be running and hold its stderr, so whoever runs it must end them. Otherwise it exits
// with the link's status, and leaves nothing that holds its output.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "engine/worker/languages/cuda/nvcc/plan.hpp"

namespace ridgeline::nvcc {

/// Quotes a word for a script, whatever is in it. A placeholder of a plan becomes the shell's expression for
/// that path: kFolderWord "$PWD"; kTrampolineWord "$trampoline" and kHeadersWord "$headers", which only the
/// scripts below set.
std::string script_word(std::string_view word);
/// Quotes each word and joins them with spaces.
std::string script_line(const Plan::Words& words);

/// Returns `script` with lines before it that export the variables which nvcc sets for its steps. The scripts
/// below have these lines already.
std::string with_environment(const Plan& plan, const std::string& script);

/// Returns a script without prepared headers. It runs the steps for the host and those for the device at the
/// same time, then the host's compiler and the linker.
std::string script_without_headers(const Plan& plan);

/// Names of the files in the folder HEADERS, prepared once per set of flags (headers.hpp), not in each build.
/// They are of what every source includes first, cuda_runtime.h: its preprocessed text (*.ii), its macros
/// (*.macros), and what cudafe++ makes of it (host.hpp), precompiled.
inline constexpr std::string_view kHostText = "host.ii", kHostMacros = "host.macros";
inline constexpr std::string_view kDeviceText = "device.ii", kDeviceMacros = "device.macros";
inline constexpr std::string_view kHostHeader = "host.hpp";  // lies beside host.hpp.gch
/// Begins a word that names one of these files: "{headers}/host.ii".
inline constexpr std::string_view kHeadersWord = "{headers}/";
/// Names of FIFOs (named pipes), which the caller of a script with headers has to make, with their folder, in
/// the folder of the build. The host's compiler includes them and so waits until the device's steps write
/// into them.
inline constexpr std::string_view kStubPipe = "early/kernel.cudafe1.stub.c";
inline constexpr std::string_view kFatbinPipe = "early/kernel.fatbin.c";

/// Returns a script that uses the prepared headers. Only the candidate's own text is preprocessed, and the
/// host's compiler begins before the device's steps have ended. `header_bytes` is the size of kHostHeader:
/// the host's source (kernel.cudafe1.cpp) has to begin with these bytes, and only the rest is compiled. A
/// step is run again as nvcc runs it if the preprocessor or the host's compiler fails or prints anything, or
/// if the source does not begin with these bytes.
std::string script_with_headers(const Plan& plan, std::uintmax_t header_bytes);

/// Returns `words`, the command that preprocesses kernel.cu, with `-imacros <macros>` in place of `-include
/// cuda_runtime.h`: `macros` is a file with the macros that this header defines. Returns other words as they
/// are.
Plan::Words with_macros(Plan::Words words, const std::string& macros);

}  // namespace ridgeline::nvcc
