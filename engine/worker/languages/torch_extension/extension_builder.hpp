// Builds what Python answers hand to load_inline and load into CPython extension modules, confined and cached
// as the compilers of candidates are.
//
//   auto slim = builder.build_slim(request);                       // about a second
//   if (std::holds_alternative<NotSlim>(slim))
//     result = builder.build_with_torch(request, torch_headers);  // most of a minute, the same module
//
// Both link against the CUDA runtime that torch has loaded: a module is imported after torch, in a process
// whose torch is of the toolkit's major version.
//
// Threads: any number at once; from a thread that lives as long as the call (sandbox/process.hpp).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/worker/languages/build_result.hpp"
#include "engine/worker/languages/build_settings.hpp"
#include "engine/worker/languages/cuda/device_link.hpp"
#include "engine/worker/languages/cuda_toolchain.hpp"
#include "engine/worker/languages/flags/cuda_flags.hpp"
#include "engine/worker/languages/torch_extension/commands.hpp"
#include "engine/worker/languages/torch_extension/request.hpp"
#include "engine/worker/languages/torch_extension/slim_kit.hpp"
#include "engine/worker/languages/torch_extension/torch_headers.hpp"
#include "engine/worker/languages/workshop.hpp"

namespace ridgeline::torch_extension {

/// Says that the slim headers do not do for this source, or the source is wrong: only the real headers can
/// tell.
struct NotSlim {
  std::string because;  // the first error
  std::string log;      // of the slim build; the author sees it where torch's own headers are not tried
};

/// A failure is one that the real headers would not repair: a forbidden flag, a limit, an error of the
/// assembler, a function of the source's own that is declared and nowhere defined.
using SlimBuild = std::variant<languages::BuildArtefact, NotSlim, languages::BuildFailure>;

/// Returns the limits of a build, default_cuda_build_limits(), with room for the real headers too.
sandbox::Limits default_extension_limits();

class ExtensionBuilder {
 public:
  ExtensionBuilder(languages::CudaToolchain toolchain, languages::BuildSettings settings,
                   std::string architecture = languages::default_cuda_architecture);
  /// Makes a builder without nvcc: requests that want CUDA fail, as compiler_missing.
  ExtensionBuilder(languages::Toolchain host, languages::BuildSettings settings);

  SlimBuild build_slim(const ExtensionRequest& request) const;
  languages::BuildResult build_with_torch(const ExtensionRequest& request, const TorchHeaders& torch) const;

  /// Returns the failure of build_with_torch for a request whose compilers would say `log`.
  languages::BuildFailure failure_with_torch(const ExtensionRequest& request, std::string log) const;

  const languages::CudaToolchain& toolchain() const { return toolchain_; }
  const std::string& architecture() const { return architecture_; }

 private:
  struct Made {
    sandbox::ConfinedExit exit;  // of the last step, with the CPU seconds of all
    std::vector<std::string> unresolved;
    std::vector<KernelResources> resources;
  };
  /// Says why the compilers or the linkers failed, with what the answer can do about it.
  languages::BuildFailure failure_of(const sandbox::ConfinedExit& exit, std::vector<std::string> flags) const;
  using Admitted = std::variant<ExtensionBuild, languages::BuildFailure>;
  Admitted admit(const ExtensionRequest& request) const;
  Made run(const languages::BuildScratch& scratch, const std::vector<ExtensionUnit>& units,
           const ExtensionBuild& build, bool joined) const;
  languages::BuildArtefact keep(const languages::BuildScratch& scratch, const Hash& key, Made made,
                                const std::vector<std::string>& flags) const;

  languages::CudaToolchain toolchain_;
  std::string architecture_;
  languages::Workshop workshop_;
  std::unique_ptr<languages::DeviceLink> device_link_ = std::make_unique<languages::DeviceLink>();
};

}  // namespace ridgeline::torch_extension
