#include "engine/worker/protocol/torch_artefact.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/core/error.hpp"
#include "engine/core/json_numbers.hpp"

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

/// Returns whether a file of this name lies in its folder. It comes from a candidate's build, so it must not
/// lead out of it; and one that no file can have would be taken for a full disk.
bool is_file_name(const fs::path& name) {
  constexpr std::size_t most = 255;  // bytes, on any file system
  return !name.empty() && name == name.filename() && name != ".." && name != "." &&
         name.native().size() <= most && name.native().find('\0') == std::string::npos;
}

std::uint64_t bytes_of(const nlohmann::json& file, const fs::path& artefact) {
  const auto& bytes = file.at("bytes");
  if (!holds_number<std::uint64_t>(bytes))
    throw BadInput(artefact.string() + " names a file of " + bytes.dump() + " bytes; build it again");
  return bytes.get<std::uint64_t>();
}

/// Writes what follows the line. Throws nlohmann's exceptions where the line is not as it was written here.
void unpack_files(std::istream& file, const nlohmann::json& document, const fs::path& artefact,
                  const fs::path& folder) {
  std::size_t position = 0;
  // A module that did not build has an "error" in place of a "file", but keeps its position.
  for (const auto& module : document.value("modules", nlohmann::json::array())) {
    const auto library = folder / module_file(position++);
    if (!module.contains("file")) continue;
    auto out = begin(library);
    copy(file, out, bytes_of(module, artefact), artefact);
    finish(out, library);
  }
  for (const auto& kernel : document.value("kernels", nlohmann::json::array())) {
    // Only if there is a kernel, since most answers have none.
    fs::create_directories(folder / kKernelFolder);
    const fs::path name = kernel.at("name").get<std::string>();
    if (!is_file_name(name))
      throw BadInput(artefact.string() + " names a file outside of its folder: " + name.string());
    auto out = begin(folder / kKernelFolder / name);
    copy(file, out, bytes_of(kernel, artefact), artefact);
    finish(out, folder / kKernelFolder / name);
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
  try {
    unpack_files(file, document, artefact, job.parent_path());
  } catch (const nlohmann::json::exception& error) {
    throw BadInput(artefact.string() + " does not say what it holds (" + error.what() + "); build it again");
  }
}

}  // namespace ridgeline::protocol
