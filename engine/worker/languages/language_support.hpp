// The port for languages. It holds what a worker asks of each, so that no other room asks which language it
// has.
//
// A language is a folder below engine/worker/languages with one function that gives its LanguageSupport, and
// a line of registry/registry.cpp. Its traits stand in engine/core/language.hpp, since programs that build
// nothing know them too. docs/extending.md, "A language", walks through adding one.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "engine/core/language.hpp"
#include "engine/worker/languages/build_result.hpp"
#include "engine/worker/languages/build_settings.hpp"
#include "engine/worker/languages/cuda_toolchain.hpp"
#include "engine/worker/languages/python_toolchain.hpp"
#include "engine/worker/languages/toolchain.hpp"
#include "engine/worker/protocol/messages.hpp"

namespace ridgeline::languages {

struct SharedPython;  // torch/torch_support.cpp

inline constexpr const char* no_compiler =
    "no C++ compiler was found: install g++ (apt-get install g++) or clang";

/// Holds what this machine has to build with.
struct MachineTools {
  std::optional<Toolchain> host;  ///< every language wants it: nvcc, inline C++ and triton's launchers too
  std::optional<CudaToolchain> nvcc;  ///< with the host compiler that it was found with
  std::optional<PythonToolchain> python;
  std::string no_python;  ///< why there is none, and what to do; "" if nobody searched
};

/// Holds what the builders of one isolation level are made with. The languages of Python share interpreters
/// that are kept warm: the first of them starts them.
struct BuilderMeans {
  MachineTools tools;
  BuildSettings settings;
  std::filesystem::path python_runner;        ///< libridgeline-python-runner.so
  std::function<std::string()> architecture;  ///< of CUDA ("sm_90a"): a default until judges have started
  std::function<void(std::string line)> log;  ///< of the worker, from any thread
  std::shared_ptr<SharedPython> python = {};
};

/// Builds candidates of one language at one isolation level. Threads: build() from any number at once, from
/// threads that live as long as this (sandbox/process.hpp).
class LanguageBuilder {
 public:
  virtual ~LanguageBuilder() = default;
  virtual BuildResult build(const protocol::Evaluate& request) const = 0;
  /// Makes ready what the first build would wait for. Throws if it cannot; builds work without.
  virtual void warm_up() const {}
  /// Starts what reads answers with modules of torch, since some will come. Throws as warm_up.
  virtual void expect_modules() const {}
  /// Ends processes that wait for further requests, but for those that the agent ends with its children.
  virtual void wind_down() const {}
};

/// Describes a language to the worker. Has no state; lives as long as the program.
class LanguageSupport {
 public:
  virtual ~LanguageSupport() = default;
  virtual Language language() const = 0;

  /// Returns why nothing can be built, and what to install; "" if it can.
  virtual std::string missing(const MachineTools& tools) const = 0;
  /// Returns what `doctor` says is missing; "" if nothing is, or another language says the same.
  virtual std::string shortfall(const MachineTools& tools) const = 0;
  /// Returns what the hello says that candidates are built with; none if it is not there.
  virtual std::optional<protocol::Toolchain> toolchain(const MachineTools& tools,
                                                       const std::string& architecture) const = 0;
  /// Returns what a verdict says that a candidate was built with. Call it only if `missing` is empty.
  virtual std::string compiler(const MachineTools& tools) const = 0;
  /// Makes a builder. `means` outlives it. Call it only if `missing` is empty.
  virtual std::unique_ptr<LanguageBuilder> make_builder(BuilderMeans& means) const = 0;
};

}  // namespace ridgeline::languages
