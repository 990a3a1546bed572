#include "engine/worker/agent/torch_folder.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "engine/core/error.hpp"
#include "engine/worker/sandbox/process.hpp"

namespace ridgeline::agent {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view search_path = "LD_LIBRARY_PATH=";

/// Returns the version without its build ("+cu130", "+cpu"). All builds of a release have one interface.
std::string release_of(const std::string& version) {
  return version.substr(0, version.find('+'));
}

std::string install_hint() {
  return fmt::format(
      "`python3 -m pip install torch=={0}` (the CPU's build is enough), or set RIDGELINE_TORCH to a "
      "folder that holds torch/ of {0}",
      required_torch_version());
}

/// Reads the version from the file, since loading the library to ask it would take seconds.
std::optional<std::string> version_in(const std::string& folder) {
  if (!fs::exists(fs::path(folder) / "torch/lib/libtorch_cpu.so")) return std::nullopt;
  std::ifstream file(fs::path(folder) / "torch/version.py");
  constexpr std::string_view name = "__version__ = '";
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(name)) return line.substr(name.size(), line.find('\'', name.size()) - name.size());
  return "of an unknown version";
}

/// Finds the folder without importing torch, which would take seconds.
std::optional<std::string> python_folder() try {
  sandbox::Policy policy;
  policy.isolated(sandbox::Isolation::none).system_programs();
  for (const char* name : {"PATH", "HOME"})
    if (const char* value = std::getenv(name)) policy.env(name, value);
  policy.limits.wall_seconds = 20;
  const auto child =
      sandbox::spawn(policy, {"/usr/bin/env", "python3", "-c",
                              "import importlib.util, os\n"
                              "found = importlib.util.find_spec('torch')\n"
                              "print(os.path.dirname(found.submodule_search_locations[0]) if found else '')"})
          .wait();
  const auto folder = child.out.substr(0, child.out.find('\n'));
  return child.ok() && !folder.empty() ? std::optional(folder) : std::nullopt;
} catch (const Error&) {
  return std::nullopt;
}

LibraryFolders folders_in(const std::string& folder) {
  LibraryFolders folders{(fs::path(folder) / "torch/lib").string()};
  // `./dev setup` puts the CUDA libraries here that a CUDA build of torch expects beside it.
  if (const auto cuda = fs::path(folder) / "cuda/lib"; fs::exists(cuda)) folders.push_back(cuda.string());
  return folders;
}

}  // namespace

std::string required_torch_version() {
  return RIDGELINE_TORCH_VERSION;
}

std::variant<LibraryFolders, std::string> find_torch(const std::string& named, const TorchSearch& search) {
  const auto folder = named.empty() ? search.python_folder() : std::optional(named);
  if (!folder)
    return fmt::format("LibTorch {} was not found (python3 has no torch): {}", required_torch_version(),
                       install_hint());
  const auto version = search.version_in(*folder);
  if (!version)
    return fmt::format("LibTorch {} is needed, and {} has no torch/lib/libtorch_cpu.so: {}",
                       required_torch_version(), *folder, install_hint());
  if (release_of(*version) != required_torch_version())
    return fmt::format("LibTorch {} is needed, and the one in {} is {}: {}", required_torch_version(),
                       *folder, *version, install_hint());
  return folders_in(*folder);
}

std::variant<LibraryFolders, std::string> torch_for(const std::string& judge, const std::string& named) {
  // A build folder has no share/ridgeline beside it, and its judge has the path of LibTorch linked in.
  if (!fs::is_directory(fs::path(judge).parent_path() / "../share/ridgeline")) return LibraryFolders{};
  return find_torch(named, {version_in, python_folder});
}

std::vector<std::string> with_library_folders(std::vector<std::string> environment,
                                              const LibraryFolders& folders) {
  if (folders.empty()) return environment;
  std::string value(search_path);
  for (const auto& folder : folders) value += (value.ends_with('=') ? "" : ":") + folder;
  const auto present = std::ranges::find_if(
      environment, [](const auto& variable) { return variable.starts_with(search_path); });
  if (present == environment.end()) {
    environment.push_back(std::move(value));
  } else {
    // An empty element in the path would mean the working folder.
    if (present->size() > search_path.size()) value += ':' + present->substr(search_path.size());
    *present = std::move(value);
  }
  return environment;
}

}  // namespace ridgeline::agent
