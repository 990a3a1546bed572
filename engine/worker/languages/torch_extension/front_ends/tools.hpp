// Helpers for compilers' front ends that have read torch's headers and wait for a source (front_ends.hpp):
// the compilers, their sandbox, a command that can be given up, and sources for the self-test.
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

/// What front ends are made with: the same as the full build, so that both say the same of a source.
struct Tools {
  languages::CudaToolchain toolchain;  // without nvcc (`program` empty) C++ alone is checked
  std::string architecture;            // of kernels
  languages::BuildSettings settings;   // where things are kept, how confined
  torch_extension::TorchHeaders torch;
  std::filesystem::path library;  // libridgeline-held.so, preloaded to make a front end wait (held/held.cpp)
};

/// Returns the build of an extension named `module` over torch's headers, with no flags of its own.
torch_extension::ExtensionBuild plain_build(const Tools& tools, const std::string& module);

/// Returns the sandbox of a compiler that reads torch's headers. It works in `folder`, where it may write if
/// `write`, and else only read.
sandbox::Policy reading_torch(const Tools& tools, const std::filesystem::path& folder, bool write);

/// Runs a command and waits for its end. If another thread sets `stop`, ends it within 0.1 s and returns
/// nothing. Throws as sandbox::spawn.
std::optional<sandbox::ConfinedExit> run_unless(const std::atomic<bool>& stop, const sandbox::Policy& policy,
                                                const std::vector<std::string>& words);

/// Return requests to test front ends with: main.cpp has errors, or cuda.cu has, or both are right.
torch_extension::ExtensionRequest wrong_main();
torch_extension::ExtensionRequest wrong_cuda();
torch_extension::ExtensionRequest right_request();

/// Returns a compiler's messages from the line of the first error on, since warnings of headers come before;
/// "" if there is no error.
std::string from_first_error(const std::string& messages);

}  // namespace ridgeline::front_ends
