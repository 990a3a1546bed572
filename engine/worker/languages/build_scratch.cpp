#include "engine/worker/languages/build_scratch.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <system_error>

#include "engine/core/error.hpp"

namespace ridgeline::languages {

namespace fs = std::filesystem;

BuildScratch::BuildScratch(const fs::path& parent) {
  std::string pattern = (parent / "scratch-XXXXXX").string();
  if (!::mkdtemp(pattern.data()))
    throw MachineCannot("cannot make a folder in " + parent.string() + ": " + std::strerror(errno));
  path_ = pattern;
}

BuildScratch::~BuildScratch() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void BuildScratch::write(std::string_view name, std::string_view text) const {
  std::ofstream stream{file(name), std::ios::binary};
  stream << text;
  if (!stream.flush())
    throw MachineCannot("cannot write " + file(name).string() + ": " + std::strerror(errno) +
                        "; fix: free space, or name another cache folder");
}

}  // namespace ridgeline::languages
