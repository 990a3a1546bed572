#include "engine/cuda/cupti_search.hpp"

#include <link.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string_view>
#include <system_error>

namespace ridgeline::cuda {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLibrary = "libcupti.so.13";
constexpr const char* kBeside = "libnvperf_host.so";  // it holds the definitions of all metrics
constexpr std::size_t kNamed = 4;                     // how many folders an error lists

void add_environment(std::vector<fs::path>& folders) {
  const char* path = std::getenv("LD_LIBRARY_PATH");
  if (!path) return;
  std::istringstream parts{path};
  for (std::string folder; std::getline(parts, folder, ':');)
    // A relative folder would depend on where the worker was started.
    if (folder.starts_with('/')) folders.emplace_back(folder);
}

/// Adds the folders of pip's packages, which lie beside torch: .../site-packages/torch/lib and
/// .../site-packages/nvidia/cu13/lib.
int add_loaded(dl_phdr_info* info, std::size_t, void* raw) {
  auto& folders = *static_cast<std::vector<fs::path>*>(raw);
  std::error_code ignored;
  const auto file = fs::canonical(info->dlpi_name, ignored);
  if (ignored) return 0;
  const auto name = file.filename().string();
  if (name.starts_with("libcupti.so")) folders.push_back(file.parent_path());
  if (!name.starts_with("libtorch_cpu.so")) return 0;
  const auto packages = file.parent_path().parent_path().parent_path();
  folders.push_back(packages / "nvidia" / "cu13" / "lib");
  folders.push_back(packages / "nvidia" / "cuda_cupti" / "lib");
  folders.push_back(packages / "cuda" / "lib");  // where ./dev setup puts them
  return 0;
}

void add_toolkit(std::vector<fs::path>& folders, const fs::path& toolkit) {
  folders.push_back(toolkit / "extras" / "CUPTI" / "lib64");
  folders.push_back(toolkit / "lib64");
  folders.push_back(toolkit / "lib");
}

}  // namespace

std::optional<fs::path> find_cupti(const std::vector<fs::path>& folders) {
  for (const auto& folder : folders) {
    std::error_code error;
    const auto library = fs::canonical(folder / kLibrary, error);
    if (!error && fs::exists(library.parent_path() / kBeside, error)) return library;
  }
  return std::nullopt;
}

std::vector<fs::path> cupti_folders() {
  std::vector<fs::path> folders;
  add_environment(folders);
  ::dl_iterate_phdr(add_loaded, &folders);
  for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
    if (const char* toolkit = std::getenv(variable)) add_toolkit(folders, toolkit);
  add_toolkit(folders, "/usr/local/cuda");
  for (const char* folder : {"/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu", "/usr/lib64"})
    folders.emplace_back(folder);
  return folders;
}

std::string no_cupti_text(const std::vector<fs::path>& folders) {
  std::string searched;
  for (std::size_t i = 0; i < folders.size() && i < kNamed; ++i)
    searched += (searched.empty() ? "" : ", ") + folders[i].string();
  if (folders.size() > kNamed) searched += ", …";
  return std::string("no ") + kLibrary + " with " + kBeside + " beside it (searched " + searched +
         "); fix: pip install nvidia-cuda-cupti==13.*, or let LD_LIBRARY_PATH name a toolkit's "
         "extras/CUPTI/lib64";
}

std::string counters_forbidden(const fs::path& parameters) {
  std::ifstream file(parameters);
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("RmProfilingAdminOnly:") && line.ends_with(" 1"))
      return "NVIDIA's driver keeps counters for administrators (RmProfilingAdminOnly: 1); fix: load its "
             "kernel module "
             "with NVreg_RestrictProfilingToAdminUsers=0";
  return {};
}

}  // namespace ridgeline::cuda
