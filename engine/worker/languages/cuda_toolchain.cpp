#include "engine/worker/languages/cuda_toolchain.hpp"

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "engine/core/error.hpp"
#include "engine/worker/languages/build_scratch.hpp"
#include "engine/worker/languages/program_search.hpp"
#include "engine/worker/sandbox/process.hpp"

namespace ridgeline::languages {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> said_by(const CudaToolchain& toolchain, sandbox::Isolation isolation,
                                   std::vector<std::string> arguments) try {
  const BuildScratch scratch{fs::temp_directory_path()};  // nvcc makes files even where it writes to stdout
  auto policy = nvcc_policy(toolchain, isolation, scratch.path().string());
  policy.limits.wall_seconds = 20;
  arguments.insert(arguments.begin(), toolchain.program);
  const auto exit = sandbox::spawn(policy, arguments).wait();
  return exit.ok() ? std::optional{exit.out} : std::nullopt;
} catch (const Error&) {
  return std::nullopt;  // not a program, or out of reach: the next place may do
}

/// "nvcc 13.0.88" from "Cuda compilation tools, release 13.0, V13.0.88"; "" if no nvcc said it.
std::string version_from(const std::string& text) {
  const auto at = text.find(", V");
  if (at == std::string::npos) return "";
  const auto number = text.substr(at + 3);
  return "nvcc " + number.substr(0, number.find_first_not_of("0123456789."));
}

std::optional<CudaToolchain> probe(const std::string& program, sandbox::Isolation isolation,
                                   const Toolchain& host) {
  CudaToolchain found;
  std::error_code error;
  found.program = fs::canonical(program, error).string();
  if (error) return std::nullopt;
  found.host = host;
  if (const auto root = root_outside_usr(found.program); !root.empty()) found.roots.push_back(root);
  const auto version = said_by(found, isolation, {"--version"});
  if (!version) return std::nullopt;
  found.version = version_from(*version);
  if (found.version.empty()) return std::nullopt;
  // Reads cuda_runtime.h, and that refuses host compilers it does not know.
  if (!said_by(found, isolation, {"-ccbin", host.program, "-E", "-x", "cu", "/dev/null"}))
    return std::nullopt;
  found.fingerprint = sha256_of({*version, host.version});
  return found;
}

void add(std::vector<std::string>& places, const char* folder, const char* below) {
  if (folder != nullptr && *folder == '/') places.push_back(std::string{folder} + below);
}

}  // namespace

std::vector<std::string> nvcc_places() {
  std::vector<std::string> places = {"nvcc"};
  add(places, std::getenv("CUDA_HOME"), "/bin/nvcc");
  add(places, "/usr/local/cuda", "/bin/nvcc");
  const char* const wheels = std::getenv("RIDGELINE_CUDA_WHEELS");
  for (const char* below : {"/bin/nvcc", "/nvidia/cu13/bin/nvcc", "/nvidia/cuda_nvcc/bin/nvcc"})
    add(places, wheels, below);
  return places;
}

std::optional<CudaToolchain> find_nvcc(sandbox::Isolation isolation, const Toolchain& host,
                                       const std::vector<std::string>& places) {
  for (const auto& place : places)
    if (const auto program = find_program(place))
      if (auto toolchain = probe(*program, isolation, host)) return toolchain;
  return std::nullopt;
}

sandbox::Policy nvcc_policy(const CudaToolchain& toolchain, sandbox::Isolation isolation,
                            const std::string& scratch) {
  auto policy = compiler_policy(toolchain.host, isolation, scratch);
  for (const auto& root : toolchain.roots) policy.execute(root);
  policy.env("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1");  // a third of cudafe++'s time is page faults
  return policy;
}

}  // namespace ridgeline::languages
