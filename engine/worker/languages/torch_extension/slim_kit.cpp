#include "engine/worker/languages/torch_extension/slim_kit.hpp"

#include <system_error>

#include "engine/core/error.hpp"
#include "engine/torch_slim/headers.hpp"

namespace ridgeline::torch_extension {
namespace {

namespace fs = std::filesystem;

void write_headers(const languages::BuildScratch& scratch) {
  for (const auto* header = torch_slim::headers; header->path; ++header) {
    const auto file = fs::path("headers") / header->path;
    std::error_code error;
    fs::create_directories(scratch.path() / file.parent_path(), error);
    if (error)
      throw MachineCannot("cannot make a folder in " + scratch.path().string() + ": " + error.message());
    scratch.write(file.string(), header->text);
  }
}

void compile_runtime(const languages::Workshop& workshop, const languages::Toolchain& host,
                     const languages::BuildScratch& scratch) {
  const auto exit = workshop.run(host, scratch,
                                 {"-std=c++17", "-O2", "-fno-gnu-unique", "-Iheaders", "-c",
                                  "headers/torch_slim/runtime/runtime.cpp", "-o", "runtime.o"});
  if (!exit.ok())
    throw MachineCannot("the slim headers' runtime did not compile (" + sandbox::describe(exit) +
                        "): " + exit.err.substr(0, 500));
}

}  // namespace

SlimKit slim_kit(const languages::Workshop& workshop, const languages::Toolchain& host) {
  auto& cache = workshop.cache();
  SlimKit kit;
  kit.includes = cache.folder() / ("header-slim-" + torch_slim::headers_hash());
  kit.runtime =
      cache.folder() / ("slim-runtime-" + sha256_of({torch_slim::headers_hash(), host.fingerprint}) + ".o");
  kit.hold_includes = cache.hold(kit.includes);
  kit.hold_runtime = cache.hold(kit.runtime);
  if (kit.hold_includes && kit.hold_runtime) return kit;
  const auto scratch = workshop.scratch();
  write_headers(scratch);
  if (!kit.hold_runtime) {
    compile_runtime(workshop, host, scratch);
    kit.hold_runtime = cache.keep(scratch.file("runtime.o"), kit.runtime);
  }
  if (!kit.hold_includes) kit.hold_includes = cache.keep(scratch.file("headers"), kit.includes);
  return kit;
}

}  // namespace ridgeline::torch_extension
