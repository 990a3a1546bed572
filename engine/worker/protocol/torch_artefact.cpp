#include "engine/worker/protocol/torch_artefact.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/core/error.hpp"

namespace ridgeline::protocol {
namespace {

namespace fs = std::filesystem;

constexpr const char* kKernelFolder = "kernels";  // job.py reads kernels from it

std::ofstream begin(const fs::path& path) {
  return std::ofstream(path, std::ios::binary | std::ios::trunc);
}

void finish(std::ofstream& file, const fs::path& path) {
  file.close();
  if (!file) throw MachineCannot("cannot write " + path.string() + "; fix: free space on its disk");
}

void copy(std::istream& from, std::ostream& to, std::uint64_t bytes, const fs::path& source) {
  std::array<char, 65536> block;
  while (bytes > 0) {
    const auto part = std::min<std::uint64_t>(bytes, block.size());
    if (!from.read(block.data(), static_cast<std::streamsize>(part)))
      throw BadInput(source.string() + " ends before the modules of its job do; build it again");
    to.write(block.data(), static_cast<std::streamsize>(part));
    bytes -= part;
  }
}

}  // namespace

void write_torch_artefact(const fs::path& artefact, TorchJob job, const std::vector<fs::path>& libraries,
                          const std::vector<fs::path>& kernels) {
  std::size_t next = 0;
  for (auto& module : job.modules)
    // A module that did not build has no library; its error is in the job instead.
    if (module.error.empty()) module.bytes = fs::file_size(libraries.at(next++));
  for (const auto& kernel : kernels)
    job.kernels.push_back({kernel.filename().string(), fs::file_size(kernel)});
  auto file = begin(artefact);
  // The job comes first and is one line, so that a reader knows all sizes before the libraries.
  file << to_json(job) << '\n';
  next = 0;
  for (const auto& module : job.modules) {
    if (!module.error.empty()) continue;
    std::ifstream library(libraries[next], std::ios::binary);
    copy(library, file, module.bytes, libraries[next++]);
  }
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    std::ifstream kernel(kernels[i], std::ios::binary);
    copy(kernel, file, job.kernels[i].bytes, kernels[i]);
  }
  finish(file, artefact);
}

void unpack_torch_artefact(const fs::path& artefact, const fs::path& job) {
  std::ifstream file(artefact, std::ios::binary);
  std::string line;
  if (!std::getline(file, line)) throw MachineCannot("cannot read the candidate " + artefact.string());
  auto written = begin(job);
  written << line;
  finish(written, job);
  // An answer without modules and kernels is the line alone.
  if (file.peek() == std::ifstream::traits_type::eof()) return;
  const auto document = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
  if (!document.is_object()) return;
  std::size_t position = 0;
  // A module that did not build has an "error" in place of a "file", but keeps its position.
  for (const auto& module : document.value("modules", nlohmann::json::array())) {
    const auto library = job.parent_path() / module_file(position++);
    if (!module.contains("file")) continue;
    auto out = begin(library);
    copy(file, out, module.at("bytes").get<std::uint64_t>(), artefact);
    finish(out, library);
  }
  const auto folder = job.parent_path() / kKernelFolder;
  for (const auto& kernel : document.value("kernels", nlohmann::json::array())) {
    // Only if there is a kernel, since most answers have none.
    fs::create_directories(folder);
    const fs::path name = kernel.at("name").get<std::string>();
    // The artefact comes from a candidate's build, so a name must not lead out of the folder.
    if (name.empty() || name != name.filename() || name == ".." || name == ".")
      throw BadInput(artefact.string() + " names a file outside of its folder: " + name.string());
    auto out = begin(folder / name);
    copy(file, out, kernel.at("bytes").get<std::uint64_t>(), artefact);
    finish(out, folder / name);
  }
}

}  // namespace ridgeline::protocol
