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

/// Without what follows the release, "+cu130" or "+cpu": every build of a release has the same interface.
std::string release_of(const std::string& version) {
  return version.substr(0, version.find('+'));
}

std::string install_hint() {
  return fmt::format(
      "`python3 -m pip install torch=={0}` (the CPU's build is enough), or set RIDGELINE_TORCH to a "
      "folder that holds torch/ of {0}",
      torch_wanted());
}

std::optional<std::string> version_in(const std::string& folder) {
  if (!fs::exists(fs::path(folder) / "torch/lib/libtorch_cpu.so")) return std::nullopt;
  std::ifstream file(fs::path(folder) / "torch/version.py");
  constexpr std::string_view name = "__version__ = '";
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(name)) return line.substr(name.size(), line.find('\'', name.size()) - name.size());
  return "of an unknown version";
}

/// Found without importing it, which would take seconds.
std::optional<std::string> pythons_folder() try {
  sandbox::Policy policy;
  policy.isolated(sandbox::Isolation::none).system_programs();
  for (const char* name : {"PATH", "HOME"})
    if (const char* value = std::getenv(name)) policy.env(name, value);
  policy.limits.wall_seconds = 20;
  const auto told =
      sandbox::spawn(policy, {"/usr/bin/env", "python3", "-c",
                              "import importlib.util, os\n"
                              "found = importlib.util.find_spec('torch')\n"
                              "print(os.path.dirname(found.submodule_search_locations[0]) if found else '')"})
          .wait();
  const auto folder = told.out.substr(0, told.out.find('\n'));
  return told.ok() && !folder.empty() ? std::optional(folder) : std::nullopt;
} catch (const Error&) {
  return std::nullopt;
}

LibraryFolders folders_in(const std::string& folder) {
  LibraryFolders folders{(fs::path(folder) / "torch/lib").string()};
  // Where `./dev setup` puts what a wheel expects of its neighbours.
  if (const auto cuda = fs::path(folder) / "cuda/lib"; fs::exists(cuda)) folders.push_back(cuda.string());
  return folders;
}

}  // namespace

std::string torch_wanted() {
  return RIDGELINE_TORCH_VERSION;
}

std::variant<LibraryFolders, std::string> find_torch(const std::string& named, const TorchLook& look) {
  const auto folder = named.empty() ? look.pythons_folder() : std::optional(named);
  if (!folder)
    return fmt::format("LibTorch {} is not here (python3 knows no torch): {}", torch_wanted(),
                       install_hint());
  const auto version = look.version_in(*folder);
  if (!version)
    return fmt::format("LibTorch {} is wanted, and {} holds no torch/lib/libtorch_cpu.so: {}", torch_wanted(),
                       *folder, install_hint());
  if (release_of(*version) != torch_wanted())
    return fmt::format("LibTorch {} is wanted, and the one in {} is {}: {}", torch_wanted(), *folder,
                       *version, install_hint());
  return folders_in(*folder);
}

std::variant<LibraryFolders, std::string> torch_for(const std::string& judge, const std::string& named) {
  if (!fs::is_directory(fs::path(judge).parent_path() / "../share/ridgeline")) return LibraryFolders{};
  return find_torch(named, {version_in, pythons_folder});
}

std::vector<std::string> with_library_folders(std::vector<std::string> environment,
                                              const LibraryFolders& folders) {
  if (folders.empty()) return environment;
  std::string value(search_path);
  for (const auto& folder : folders) value += (value.ends_with('=') ? "" : ":") + folder;
  const auto there =
      std::ranges::find_if(environment, [](const auto& one) { return one.starts_with(search_path); });
  if (there == environment.end()) {
    environment.push_back(std::move(value));
  } else {
    if (there->size() > search_path.size()) value += ':' + there->substr(search_path.size());
    *there = std::move(value);
  }
  return environment;
}

}  // namespace ridgeline::agent
