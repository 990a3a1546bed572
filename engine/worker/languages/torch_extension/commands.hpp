// Composes the command lines that make a module of units. No I/O but the search for the toolkit's libraries.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/worker/languages/cuda_toolchain.hpp"
#include "engine/worker/languages/torch_extension/compose.hpp"
#include "engine/worker/languages/torch_extension/extension_flags.hpp"

namespace ridgeline::torch_extension {

struct ExtensionBuild {
  std::string module;  // TORCH_EXTENSION_NAME
  ExtensionFlags flags;
  std::vector<std::filesystem::path> includes;
  std::vector<std::string> libraries;  // words for the linker behind the toolkit's: objects, "-L…", "-l…"
  bool cuda = true;                    // the sources may include CUDA's headers and call its runtime
  std::string architecture;            // of kernels, where the flags name none
  bool slim = false;                   // defines names of torch's, which must not meet the real ones
};

using Command = std::vector<std::string>;

/// Returns the file that holds a unit's prelude.
std::string prelude_file(const ExtensionUnit& unit);

/// Compiles `unit` to `unit.file` + ".o".
Command compile_command(const languages::CudaToolchain& toolchain, const ExtensionBuild& build,
                        const ExtensionUnit& unit);

/// Links the units' objects to Workshop's kLibraryFile.
Command link_command(const languages::CudaToolchain& toolchain, const ExtensionBuild& build,
                     const std::vector<ExtensionUnit>& units);

/// Links the units' relocatable device code, before link_command. Only where the flags say -rdc=true.
Command device_link_command(const languages::CudaToolchain& toolchain, const ExtensionBuild& build,
                            const std::vector<ExtensionUnit>& units);

/// Runs one nvcc from source to library, where nothing is linked for the device.
Command joined_command(const languages::CudaToolchain& toolchain, const ExtensionBuild& build,
                       const ExtensionUnit& unit);

/// Lists libraries of CUDA that the text calls and torch loads anyway ("-lcublas"): extensions may leave them
/// out.
std::vector<std::string> libraries_named_in(const std::string& text);

}  // namespace ridgeline::torch_extension
