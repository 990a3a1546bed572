#include "engine/worker/languages/torch_extension/torch_headers.hpp"

#include <fmt/format.h>

#include <fstream>
#include <string_view>

namespace ridgeline::torch_extension {

namespace fs = std::filesystem;

std::vector<fs::path> TorchHeaders::includes() const {
  return {package / "include", package / "include/torch/csrc/api/include", python_include};
}

std::variant<TorchHeaders, std::string> find_torch_headers(const fs::path& package,
                                                           const fs::path& python_include) {
  if (!fs::exists(package / "include/torch/extension.h"))
    return fmt::format("{} holds no include/torch/extension.h; name the folder of an installed torch package",
                       package.string());
  if (!fs::exists(python_include / "Python.h"))
    return fmt::format("{} holds no Python.h; install the interpreter's headers (python3-dev)",
                       python_include.string());
  TorchHeaders headers{package, python_include, {}};
  std::ifstream file(package / "version.py");
  constexpr std::string_view name = "__version__ = '";
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(name))
      headers.version = line.substr(name.size(), line.find('\'', name.size()) - name.size());
  if (headers.version.empty())
    return fmt::format("{} does not tell torch's version", (package / "version.py").string());
  return headers;
}

}  // namespace ridgeline::torch_extension
