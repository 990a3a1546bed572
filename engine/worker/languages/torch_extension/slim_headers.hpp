// The stand-ins for torch's headers, compiled into the worker as texts and laid out in the cache, with their
// compiled half beside them.
#pragma once

#include <filesystem>

#include "engine/core/hash.hpp"
#include "engine/worker/languages/build_cache.hpp"
#include "engine/worker/languages/workshop.hpp"

namespace ridgeline::torch_extension {

struct SlimHeader {
  const char* path;  // below an include folder: "torch/extension.h"
  const char* text;
};

/// The files of headers/, ended by nulls.
extern const SlimHeader slim_headers[];

/// Of all paths and texts: part of the key of what is built with them.
const Hash& slim_headers_hash();

struct SlimKit {
  std::filesystem::path includes;  // a folder
  std::filesystem::path runtime;   // an object for every module to link
  languages::BuildHold hold_includes, hold_runtime;
};

/// Both in the cache, made unless they are there: a second or two, once a machine. Throws MachineCannot.
SlimKit slim_kit(const languages::Workshop& workshop, const languages::Toolchain& host);

}  // namespace ridgeline::torch_extension
