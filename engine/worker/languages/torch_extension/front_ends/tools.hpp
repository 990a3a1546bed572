// What front ends are made with, and how a compiler is run to its end unless nobody waits for it any more.
#pragma once

#include <atomic>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/worker/languages/build_settings.hpp"
#include "engine/worker/languages/cuda_toolchain.hpp"
#include "engine/worker/languages/torch_extension/commands.hpp"
#include "engine/worker/languages/torch_extension/torch_headers.hpp"
#include "engine/worker/languages/workshop.hpp"
#include "engine/worker/sandbox/process.hpp"

namespace ridgeline::front_ends {

struct Tools {
  languages::CudaToolchain toolchain;  // without nvcc (`program` empty) C++ alone is checked
  std::string architecture;            // as the builder's
  languages::BuildSettings settings;   // where things are kept, how confined
  torch_extension::TorchHeaders torch;
  std::filesystem::path library;  // libridgeline-held.so
};

/// Returns how a module of that name is built with torch's headers where its flags are none.
torch_extension::ExtensionBuild plain_build(const Tools& tools, const std::string& module);

/// Returns a policy for a compiler that reads torch's headers: its folder is `folder`, to write or to read.
sandbox::Policy reading_torch(const Tools& tools, const std::filesystem::path& folder, bool write);

/// Runs a command to its end; empty if `stop` became true, upon which it is ended.
std::optional<sandbox::ConfinedExit> run_unless(const std::atomic<bool>& stop, const sandbox::Policy& policy,
                                                const std::vector<std::string>& words);

/// Returns a request whose C++ or CUDA source has errors, or whose sources are right: to try front ends with.
torch_extension::ExtensionRequest wrong_main();
torch_extension::ExtensionRequest wrong_cuda();
torch_extension::ExtensionRequest right_request();

/// Returns a compiler's messages from the line of the first error on: warnings of headers come before.
std::string from_first_error(const std::string& messages);

}  // namespace ridgeline::front_ends
