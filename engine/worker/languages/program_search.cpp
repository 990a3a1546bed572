#include "engine/worker/languages/program_search.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <system_error>

namespace ridgeline::languages {

namespace fs = std::filesystem;

std::optional<std::string> find_program(const std::string& name) {
  if (name.starts_with('/')) return ::access(name.c_str(), X_OK) == 0 ? std::optional{name} : std::nullopt;
  const char* path = std::getenv("PATH");
  std::istringstream folders{path ? path : "/usr/local/bin:/usr/bin:/bin"};
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string program = folder + "/" + name;
    if (!folder.starts_with('/') || ::access(program.c_str(), X_OK) != 0) continue;
    std::error_code error;
    if (fs::canonical(program, error).filename() != "ccache") return program;
  }
  return std::nullopt;
}

std::string root_outside_usr(const std::string& program) {
  std::error_code error;
  const fs::path real = fs::canonical(program, error);
  const fs::path root = real.parent_path().parent_path();
  const bool system = error || real.string().starts_with("/usr/") || root == root.root_path();
  return system ? "" : root.string();
}

}  // namespace ridgeline::languages
