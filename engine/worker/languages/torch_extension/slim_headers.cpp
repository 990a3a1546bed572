#include "engine/worker/languages/torch_extension/slim_headers.hpp"

#include <system_error>

#include "engine/core/error.hpp"

namespace ridgeline {

namespace fs = std::filesystem;

const Hash& slim_headers_hash() {
  static const Hash hash = [] {
    std::string all;
    for (const auto* header = slim_headers; header->path; ++header)
      all += sha256_of({header->path, header->text});
    return sha256(all);
  }();
  return hash;
}

HeaderFolder lay_out_slim_headers(const Workshop& workshop) {
  auto& cache = workshop.cache();
  const fs::path folder = cache.folder() / ("header-slim-" + slim_headers_hash());
  if (auto hold = cache.hold(folder)) return {folder, std::move(hold)};
  const auto scratch = workshop.scratch();
  for (const auto* header = slim_headers; header->path; ++header) {
    const auto file = fs::path("headers") / header->path;
    std::error_code error;
    fs::create_directories(scratch.file(file.parent_path().string()), error);
    if (error)
      throw MachineCannot("cannot make a folder in " + scratch.path().string() + ": " + error.message());
    scratch.write(file.string(), header->text);
  }
  auto hold = cache.keep(scratch.file("headers"), folder);
  return {folder, std::move(hold)};
}

}  // namespace ridgeline
